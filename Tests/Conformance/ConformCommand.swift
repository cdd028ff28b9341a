import ArgumentParser
import Contracts
import Dispatch
import Foundation
import Glibc
import Program

struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counterfoil-conform",
        abstract: "Plays a phone's world to a client, and says whether the client loses money in it.",
        discussion: """
            COMMAND is started as a phone, once or several times for each scenario. It reads events as JSON lines \
            on its standard input, and writes what it does as JSON lines on its standard output. The gateway is \
            played at the address in COUNTERFOIL_GATEWAY. Tests/Conformance/README.md describes all of it.
            Each scenario is a line: passed, or FAILED with what the client did instead, why that loses money, and \
            which rule says it. The rules are in Services/Gateway/README.md. The exit code is 0 if all passed, 1 if \
            one failed, 2 after wrong use, such as a COMMAND that does not speak the protocol at all.

              counterfoil-conform -- node deploy/examples/clients/node/client.mjs
              counterfoil-conform --scenario anotherLogin -- python3 deploy/examples/clients/python/client.py
            """,
        version: Release.version
    )

    @Option(
        name: .customLong("scenario"),
        help: .init("Plays this one alone; may be repeated.", valueName: "name")
    )
    var scenarios: [String] = []

    @Flag(help: "Lists the scenarios and ends.")
    var list = false

    @Flag(help: "Prints one JSON object: {\"scenarios\": [{\"name\", \"passed\", \"why\"}]}.")
    var json = false

    @Option(help: "Seconds in which the client has to have handled an event.")
    var timeout: Double = 10

    @Argument(help: .init("The client, with its arguments.", valueName: "command"))
    var command: [String] = []

    mutating func validate() throws {
        guard timeout > 0, timeout <= 600 else {
            throw ValidationError("--timeout must be more than 0, and 600 at most.")
        }
        let known = Scenario.all.map(\.name)
        for name in scenarios where !known.contains(name) {
            throw ValidationError("There is no scenario \(name); --list lists them.")
        }
        guard list || !command.isEmpty else { throw ValidationError("The client is missing: -- COMMAND.") }
    }

    /// Does what was asked; whether every scenario passed.
    func perform() throws -> Bool {
        if list {
            for scenario in Scenario.all {
                print("\(ConformanceReport.column(scenario.name)) \(scenario.story)")
            }
            return true
        }
        let running = RunningPhone()
        let signals = [SIGINT, SIGTERM, SIGHUP].map { Self.end(running, on: $0) }
        defer { for source in signals { source.cancel() } }
        let setting = Stage.Setting(command: command, limit: .seconds(timeout), running: running)
        let chosen = Scenario.all.filter { scenarios.isEmpty || scenarios.contains($0.name) }
        var report = ConformanceReport()
        try ConformanceRun(setting: setting).run(chosen) { result in
            let line = report.add(result)
            if !json { Self.write(line) }
        }
        Self.write(json ? try report.json() : report.summary)
        return report.hasPassed
    }

    /// At once, also where standard output is a pipe.
    private static func write(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Ends this program, and no client outlives it.
    private static func end(_ running: RunningPhone, on number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            running.clear()
            Glibc.exit(128 + number)
        }
        source.resume()
        return source
    }
}
