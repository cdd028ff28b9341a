import ArgumentParser
import Contracts
import Foundation
import Delivery
import Program

/// Which group is meant.
struct HomeOption: ParsableArguments {
    @Option(
        name: .customLong("home"),
        help: "The home of the group (default: $COUNTERFOIL_HOME, else ~/.counterfoil/default)."
    )
    var path: String?

    /// The home, whether it is there or not.
    var home: Home { Home.resolve(option: path) }
}

/// A command that could not do what it was asked, in one line.
struct CommandFailure: ProgramError {
    /// The exit code when no `counterfoil up` runs in the home.
    static let notRunningCode: Int32 = 3
    /// The exit code when a part of the group did not answer, so that something may be missing.
    static let incompleteCode: Int32 = 3

    var description: String
    var exitCode: Int32 = Launch.failureCode
    /// Whether somebody should have answered and did not.
    var isSilence = false
    /// What a partition answered instead.
    var refusal: RequestRefusal?
    /// The partition that should have answered and did not.
    var missed: PartitionAddress?

    /// What to do where systemd runs the services instead of `counterfoil up`.
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
    /// A warning, beside the output.
    static func warn(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// A value as JSON on one line.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
