import ArgumentParser
import Contracts
import Delivery

/// The command line of a program that runs partitions.
struct StatefulCommand<Program: StatefulProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let name = Program.Partitioned.name.rawValue
        return CommandConfiguration(
            commandName: "counterfoil-\(name)",
            abstract: "Runs partitions of \(name), or one of them on standard streams.",
            discussion: """
                With --stdio: in, one JSON object a line, {"event":…} or {"request":…}; out, {"send":…}, \
                {"reply":…} or {"refused":…}. The same input, --now and --seed give the same bytes. A record \
                holds times and seeds itself; of a store that is named 2.sqlite only partition 2 is replayed. \
                The exit code is 1 if there were lines that could not be used.
                """,
            version: Release.version
        )
    }

    @OptionGroup var common: CommonOptions

    @Flag(help: "Handle messages from standard input instead of sockets.")
    var stdio = false

    @Option(help: "With --stdio: the store, a file or :memory:.")
    var store: String?

    @Option(help: "With --stdio: the one time, such as 2026-01-31T12:00:00Z (default: the lines', else now).")
    var now: Timestamp?

    @Option(help: "With --stdio: where new ids come from (default: the lines' seeds, else chance).")
    var seed: UInt64?

    @Option(help: "Append every handled message but operators' requests to this file, as --stdio reads it.")
    var record: String?

    mutating func validate() throws {
        if stdio, store == nil { throw ValidationError("--stdio needs --store, a file or :memory:.") }
        if stdio, record != nil { throw ValidationError("--record is for a live service, not for --stdio.") }
        if !stdio, store != nil || now != nil || seed != nil {
            throw ValidationError("--store, --now and --seed need --stdio.")
        }
    }
}

extension Timestamp: ExpressibleByArgument {
    package init?(argument: String) { self.init(rfc3339: argument) }
}
