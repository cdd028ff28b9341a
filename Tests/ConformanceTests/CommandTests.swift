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
        _ = report.add(ScenarioResult(name: "one", failure: nil))
        _ = report.add(ScenarioResult(name: "two", failure: Violation(.paysOnce, "paid twice")))
        let why = "paid twice: \(Law.paysOnce.loss)"
        #expect(
            try report.json()
                == #"{"scenarios":[{"name":"one","passed":true,"why":null},{"name":"two","passed":false,"why":"\#(why)"}]}"#
        )
        #expect(!report.hasPassed)
        #expect(report.summary == "1 of 2 scenarios passed")
    }

    @Test func `says in a line what was done instead, which rule says that, and the same text once`() throws {
        var report = ConformanceReport()
        func line(_ name: String, _ failure: (any Error)?) -> String {
            report.add(ScenarioResult(name: name, failure: failure))
        }
        let twice = Violation(.paysOnce, "paid twice")
        #expect(line("one", nil) == "passed  one")
        #expect(line("two", twice).hasSuffix("paid twice: \(Law.paysOnce.loss) (rule 7)"))
        #expect(line("three", twice) == "FAILED  \(ConformanceReport.column("three")) as two")
        #expect(line("four", PhoneFault("ended")).hasSuffix(" ended"))
        #expect(line("five", nil) == "passed  five")
        let parts = try report.json().components(separatedBy: Law.paysOnce.loss)
        #expect(parts.count == 3, "in JSON each says it")
    }

    @Test func `names for every law a rule that the page has, but for what goes without saying`() throws {
        let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Services/Gateway/README.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let rules = text.matches(of: /\n([0-9])\. \*\*/).compactMap { Int($0.1) }
        #expect(rules.starts(with: 1...8))
        #expect(Set(Law.allCases.compactMap(\.rule)) == Set(1...8))
        #expect(Law.allCases.filter { $0.rule == nil } == [.sellsWhatIsWanted])
    }

    /// What dead clients have said, and what of it is quoted.
    static let lastWords: [(String, String?)] = [
        ("", nil),
        ("sorry\nbye\n", "bye"),
        ("a.mjs:3\n\nTypeError: x\n    at a.mjs:3:7\n\nNode.js v20.19.2\n", "TypeError: x"),
        ("Traceback\nKeyError: 'finish'\n", "KeyError: 'finish'"),
        ("Error: no answer\nValueError: later\nbye\n", "ValueError: later"),
        ("Node.js v20.19.2\n", nil),
    ]

    @Test(arguments: lastWords)
    func `quotes of a dead client the line that says why it died`(text: String, line: String?) {
        #expect(PhoneProcess.lastWords(of: text) == line)
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
