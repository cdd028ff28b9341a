import AppStoreSigning
import ArgumentParser
import Contracts
import Foundation

/// The program around the fuzz targets; `deploy/fuzz` puts libFuzzer's own main function in its place.
@main
struct Fuzzing: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-fuzz",
        abstract: "Writes what fuzzing begins with, and runs what it found.",
        version: Release.version,
        subcommands: [Seeds.self, Run.self]
    )

    /// A folder in which seeds and fuzzer find the same signing chain.
    static func signer(_ state: String) throws -> AppStoreSigner { try AppStoreSigner(stateFolder: state) }
}

/// `counterfoil-fuzz seeds`.
struct Seeds: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes each target's examples into a folder of its name."
    )

    @Option(help: "The folder of the signing chain.")
    var state: String

    @Option(help: "The folder of Apple's vectors.")
    var vectors: String?

    @Argument(help: "Where the folders go.")
    var folder: String

    func run() throws {
        let vectors = vectors.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let seeds = FuzzSeeds(signer: try Fuzzing.signer(state), vectors: vectors)
        for target in FuzzTarget.allCases {
            let place = URL(fileURLWithPath: folder).appending(path: target.rawValue)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (number, example) in try seeds.examples(of: target).enumerated() {
                try Data(example).write(to: place.appending(path: "seed-\(number)"))
            }
        }
    }
}

/// `counterfoil-fuzz run`.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs one target on files, without libFuzzer: for a debugger."
    )

    @Option(help: "The folder of the signing chain.")
    var state: String

    @Argument(help: "One of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
    var target: String

    @Argument(help: "What the target is run on.")
    var files: [String]

    func run() throws {
        guard let target = FuzzTarget(rawValue: target) else {
            throw ValidationError("there is no target \(target)")
        }
        let world = FuzzWorld(signer: try Fuzzing.signer(state), roots: [])
        for file in files {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
            let elapsed = ContinuousClock().measure { target.run(bytes, in: world) }
            print("\(file): \(bytes.count) bytes in \(elapsed)")
        }
    }
}
