import ArgumentParser
import Contracts
import Dispatch
import Foundation
import Glibc

/// Measures one thing and prints one JSON object.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-bench",
        abstract: "Measures one thing and prints one JSON object.",
        discussion: """
            Build with `swift build -c release`. Those that need a running group make a home of their own, \
            run the programs beside this one in it, and remove it afterwards.
            """,
        version: Release.version,
        subcommands: [
            Cost.self, Reads.self, Journey.self, Recovery.self, Idle.self, Memory.self, Growth.self,
            CommitLogSize.self, Links.self, JWS.self,
            ServerNotification.self,
            Receipt.self, Evidence.self, Outage.self, Strangers.self, Desk.self,
        ]
    )

    /// Runs the command; interrupted, it ends and removes its group before it leaves.
    @concurrent static func main() async {
        let command = Task { await main(nil) }
        let interruptions = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { command.cancel() }
            source.activate()
            return source
        }
        await command.value
        for interruption in interruptions { interruption.cancel() }
    }
}

func report(_ result: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(result), as: UTF8.self))
}
