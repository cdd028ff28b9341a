import ArgumentParser
import Contracts
import Delivery
import Foundation
import Program

/// A command that could not do what it was asked, in one line.
struct CommandFailure: ProgramError {
    /// The exit code when no `counterfoil up` runs in the home.
    static let notRunningCode: Int32 = 3
    /// The exit code when a part of the group did not answer, so that something may be missing.
    static let incompleteCode: Int32 = 3

    var description: String
    var exitCode: Int32 = Launch.failureCode
    /// Whether an answer was expected and did not come.
    var isSilence = false
    /// What a partition answered instead.
    var refusal: RequestRefusal?
    /// The partition that should have answered and did not.
    var missed: PartitionAddress?

    /// A command line that cannot be obeyed.
    static func usage(_ description: String) -> CommandFailure {
        CommandFailure(description: description, exitCode: Launch.usageCode)
    }

    /// No `counterfoil up` runs; `command` is what to do where systemd runs the services.
    static func notRunning(_ home: Home, systemd command: String) -> CommandFailure {
        CommandFailure(
            description:
                "no `counterfoil up` runs in \(home.root); where systemd runs the services: \(command)",
            exitCode: notRunningCode
        )
    }
}

/// Where the command writes.
enum Terminal {
    static func warn(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// The options of a command that lists what all partitions have.
struct ListOptions: ParsableArguments {
    @OptionGroup var option: HomeOption

    @Flag(help: "Print one JSON array.")
    var json = false

    /// Prints the rows as a table or as JSON, and `none` when it is certain that there are none.
    ///
    /// - Throws: `CommandFailure` with exit code 3 when a partition was missed.
    func show<Row: Encodable>(
        _ rows: [Row],
        missed: MissedPartitions,
        none: String,
        columns: [(name: String, cell: (Row) -> String)]
    ) throws {
        if json {
            try Terminal.printJSON(rows)
        } else if !rows.isEmpty {
            let cells = rows.map { row in columns.map { $0.cell(row) } }
            print(TextTable(columns.map(\.name), cells).text)
        } else if missed.isEmpty {
            print(none)
        }
        try missed.check("the list")
    }
}

/// Who decides what becomes of an event; the audit records it.
struct DecisionOption: ParsableArguments {
    @Option(help: "Who decides it.")
    var by = ProcessInfo.processInfo.userName
}

/// How long a command waits.
struct DeadlineOption: ParsableArguments {
    static let seconds = 1...86_400

    @Option(name: .customLong("timeout"), help: "Seconds after which the command stops waiting.")
    var seconds = 120

    var milliseconds: Int64 { Int64(seconds) * 1_000 }

    mutating func validate() throws { try Self.check(seconds) }

    static func check(_ seconds: Int) throws {
        guard Self.seconds.contains(seconds) else {
            throw ValidationError("--timeout must be from 1 to 86400.")
        }
    }
}
