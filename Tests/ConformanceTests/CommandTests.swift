import ArgumentParser
import Foundation
import Testing

@testable import Conformance

@Suite struct `the command counterfoil-conform` {
    @Test func `has help whose commands are understood as they stand`() throws {
        let lines = ConformCommand.helpMessage(columns: 80).split(separator: "\n")
        let commands = lines.map { $0.split(separator: " ").map(String.init) }
            .filter { $0.first == "counterfoil-conform" }
        #expect(commands.count == 2)
        for command in commands {
            #expect(try !ConformCommand.parse(Array(command.dropFirst())).command.isEmpty)
        }
    }

    @Test(arguments: [
        [], ["--scenario", "none", "--", "true"], ["--timeout", "0", "--", "true"], ["--wrong", "true"],
    ])
    func `refuses wrong use`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try ConformCommand.parse(arguments) }
        #expect(error.map { ConformCommand.exitCode(for: $0) } == .validationFailure)
    }

    @Test func `gives names to scenarios that are no two's`() {
        let names = Scenario.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 25)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+[a-zA-Z0-9]*/) != nil })
    }

    @Test func `reports in JSON each scenario, whether it passed, and why not`() throws {
        var report = ConformanceReport()
        report.results = [
            ScenarioResult(name: "one", failure: nil),
            ScenarioResult(name: "two", failure: Violation(.paysOnce, "paid twice")),
        ]
        let why = "paid twice: \(Law.paysOnce.loss)"
        #expect(
            try report.json()
                == #"{"scenarios":[{"name":"one","passed":true,"why":null},{"name":"two","passed":false,"why":"\#(why)"}]}"#
        )
        #expect(!report.hasPassed)
        #expect(report.summary == "1 of 2 scenarios passed")
        #expect(report.results.map(\.line)[1].hasSuffix(why))
    }

    @Test func `is described with every state and scenario, and the rules that each scenario tries`() throws {
        let page = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Conformance/README.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for scenario in Scenario.all {
            let row = try Regex("\\| `\(scenario.name)` \\| [1-8]")
            #expect(text.contains(row), "\(scenario.name)")
        }
        for state in ScreenState.allCases { #expect(text.contains("`\(state.rawValue)`"), "\(state)") }
    }
}
