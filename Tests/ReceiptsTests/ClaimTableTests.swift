import Foundation
import Testing

@testable import Receipts

/// The two tables of `Claim`, as they stand in its sources, against what a claim does.
@Suite struct `the tables of a claim` {
    /// From state and event to what a cell says.
    typealias Cells = [String: [String: String]]

    /// The states in which a round of requests may begin.
    private static let begun: Set<String> = ["waiting", "lookingUp", "proposed", "orphan"]

    private let tables: [Cells]

    init() throws { tables = try ["Claim+Statements", "Claim+Answers"].map(Self.table(in:)) }

    @Test func `have a cell for every state and every event, and no event stands twice`() {
        let states = Set(`a claim`.states.map(\.state.rowName))
        let events = Set(`a claim`.events.map(\.columnName))
        #expect(states.count == 6 && events.count == 12)
        var columns: [String] = []
        for table in tables {
            #expect(Set(table.keys) == states)
            let own = table.values.map { Set($0.keys) }
            #expect(own.allSatisfy { $0 == own.first })
            columns += own.first.map { Array($0) } ?? []
            for (state, cells) in table {
                for (event, cell) in cells {
                    #expect(!cell.isEmpty, "\(state), \(event)")
                    #expect(Self.named(in: cell).isSubset(of: states), "\(state), \(event)")
                }
            }
        }
        #expect(Set(columns) == events && columns.count == events.count)
    }

    @Test(arguments: `a claim`.states)
    func `say where each event leads`(from: Claim) throws {
        let state = from.state.rowName
        for event in `a claim`.events {
            let cell = try cell(of: state, event.columnName)
            for scope in `a claim`.scopes {
                var claim = from
                let isRefused = claim.attemptToApply(event, scope) == nil
                let (after, place) = (claim.state.rowName, "\(state), \(event.columnName): \(cell)")
                if isRefused {
                    #expect(cell.contains("refused"), "\(place)")
                } else {
                    let states = Self.states(after: state, in: cell)
                    #expect(states.contains(after), "\(place), and \(after) follows")
                }
            }
        }
    }

    @Test func `name no state, and no refusal, that does not follow from an event`() throws {
        var seen: [String: Set<String>] = [:]
        for from in `a claim`.states {
            for event in `a claim`.events {
                for scope in `a claim`.scopes {
                    var claim = from
                    let isRefused = claim.attemptToApply(event, scope) == nil
                    let result = isRefused ? "refused" : claim.state.rowName
                    seen["\(from.state.rowName), \(event.columnName)", default: []].insert(result)
                }
            }
        }
        for (state, cells) in tables.flatMap({ $0 }) {
            for (event, cell) in cells {
                let place = "\(state), \(event)"
                let refusal: Set<String> = cell.contains("refused") ? ["refused"] : []
                let missing = Self.named(in: cell).union(refusal).subtracting(seen[place] ?? [])
                #expect(missing.isEmpty, "\(place)")
            }
        }
    }

    private func cell(of state: String, _ event: String) throws -> String {
        let cells = tables.compactMap { $0[state]?[event] }
        return try #require(cells.first, "\(state), \(event)")
    }

    /// Every state in which an event may leave a claim that it does not refuse.
    private static func states(after state: String, in cell: String) -> Set<String> {
        var states = named(in: cell)
        if cell.contains("stays") { states.insert(state) }
        if cell.contains("*begins*") { states.formUnion(begun) }
        return states
    }

    /// The states that a cell names itself.
    private static func named(in cell: String) -> Set<String> {
        Set(cell.matches(of: /`(\w+)`/).map { String($0.1) })
    }

    /// The table above the extension in a file of the claim's core.
    private static func table(in file: String) throws -> Cells {
        let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = repository.appending(path: "Services/Receipts/Claims/Core/\(file).swift")
        let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("/// |") }
            .map { row in
                row.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
            }
        let header = try #require(rows.first)
        var cells: Cells = [:]
        // The second row is the line below the header.
        for row in rows.dropFirst(2) {
            try #require(row.count == header.count)
            cells[row[0]] = Dictionary(uniqueKeysWithValues: zip(header.dropFirst(), row.dropFirst()))
        }
        return cells
    }
}

extension Claim.State {
    /// What its row of a table is called.
    fileprivate var rowName: String {
        switch self {
        case .unclaimed: "unclaimed"
        case .waiting: "waiting"
        case .lookingUp: "lookingUp"
        case .proposed: "proposed"
        case .held: "held"
        case .orphan: "orphan"
        }
    }
}

extension Claim.Event {
    /// What its column of a table is called.
    fileprivate var columnName: String {
        switch self {
        case .submitted: "submitted"
        case .statedByApple: "statedByApple"
        case .held: "held"
        case .redriven: "redriven"
        case .refused: "refused"
        case .evidenceDue: "evidenceDue"
        case .evidenceMissing: "evidenceMissing"
        case .evidenceCompleted: "evidenceCompleted"
        case .reassigned: "reassigned"
        case .answered: "answered"
        case .retried: "retried"
        case .transferred: "transferred"
        }
    }
}
