import ArgumentParser
import Testing

@testable import LoadGenerator

@Suite struct `the help of counterfoil-load` {
    private static let columns = 80

    private static let lines = LoadCommand.helpMessage(columns: columns).split(separator: "\n")

    @Test func `shows whole commands, which are understood as they stand`() throws {
        let text = Self.lines.joined(separator: "\n").replacing("\\\n", with: " ")
        let commands = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            .filter { $0.first == "counterfoil-load" }
        #expect(commands.count == 2)
        for command in commands { _ = try LoadCommand.parse(Array(command.dropFirst())) }
    }

    @Test func `has a line for each habit, and none of them is broken`() {
        let habits = Habit.allCases.filter { $0 != .plain }
        let starts = habits.map { habit in Self.lines.firstIndex { $0.hasPrefix("  \(habit.rawValue) ") } }
        let first = starts.first.flatMap(\.self) ?? 0
        #expect(starts == habits.indices.map { first + $0 })
    }
}
