import ArgumentParser
import FoundationEssentials
import Program

struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Shows what the programs of the group wrote."
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "Only this service: orders, receipts, entitlements, notifications, gateway or up.")
    var service: String?

    @Flag(name: [.customShort("f"), .long], help: "Go on as the programs write.")
    var follow = false

    @Option(help: "How many lines of each log to begin with.")
    var lines = 100

    mutating func validate() throws {
        let known = GroupProgram.allCases.map(\.rawValue) + ["up"]
        if let service, !known.contains(service) {
            let names = known.joined(separator: ", ")
            throw ValidationError("there is no service '\(service)'; choose one of \(names).")
        }
        guard lines >= 0 else { throw ValidationError("--lines must not be negative.") }
    }

    func run() async throws {
        var tails = LogTails(folder: option.home.logFolder, service: service, lines: lines)
        for line in try tails.next() { print(line) }
        while follow {
            try await Task.sleep(for: LogTails.interval)
            for line in try tails.next() { print(line) }
        }
    }
}
