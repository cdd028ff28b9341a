import ArgumentParser
import Contracts
import Foundation
import Program

/// `counterfoil init`: makes a home.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Makes a home: its folders, a configuration with one app and a fresh key, an example catalog."
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Make a home for tests: extra root certificates and crash points are allowed in it.")
    var test = false

    @Option(help: "The bundle id of the app.")
    var bundleID = "com.example.game"

    @Option(help: "Where the gateway listens; port 0 lets the system choose.")
    var listen = ListenAddress.standard.description

    @Option(help: "Partitions per service; cannot be changed later.")
    var partitions = Configuration.defaultPartitions

    @Option(name: .customLong("webhook-url"), help: "Where the app's own backend is told of changes.")
    var webhookURL: String?

    @Option(
        name: .customLong("extra-root"),
        help: "With --test: a root certificate that is trusted, DER or PEM."
    )
    var extraRoots: [String] = []

    mutating func validate() throws {
        if !extraRoots.isEmpty, !test { throw ValidationError("--extra-root needs --test.") }
        if ListenAddress(listen) == nil { throw ValidationError("--listen must be host:port.") }
        if BundleID(rawValue: bundleID) == nil { throw ValidationError("--bundle-id is no bundle id.") }
        guard (1...Configuration.maximumPartitions).contains(partitions) else {
            throw ValidationError("--partitions must be from 1 to \(Configuration.maximumPartitions).")
        }
    }

    func run() throws {
        let home = option.home
        try HomeMaker(home: home, isTest: test).make(configuration(), copying: extraRoots)
        print("made \(test ? "a TEST home" : "a home") at \(home.root)")
        print("  \(home.configurationFile)  apps, keys, listen address; the app's key is in here")
        print("  \(home.catalogFile)  products and what they grant")
        print("next: counterfoil up --home \(home.root)")
    }

    private func configuration() throws -> Configuration {
        guard let bundleID = BundleID(rawValue: bundleID), let listen = ListenAddress(listen) else {
            throw ExitCode(Launch.usageCode)
        }
        return Configuration(
            partitions: partitions,
            http: .init(listen: listen),
            extraRoots: extraRoots.map { "roots/" + URL(filePath: $0).lastPathComponent },
            apps: [
                .init(
                    bundleId: bundleID,
                    keys: [.init(id: "key1", secret: HomeMaker.newSecret())],
                    webhook: webhookURL.map { .init(url: $0, secret: HomeMaker.newSecret()) }
                )
            ]
        )
    }
}
