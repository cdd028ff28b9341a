import Contracts
import Domain
import Testing

@Suite struct `pages of what operators have done` {
    private static let (orders, receipts) = (PartitionAddress(.orders, 1), PartitionAddress(.receipts, 0))

    private static func act(_ number: Int64, at minute: Int64) -> Act {
        Act(
            number: number,
            time: DeskSample.minute(minute),
            operatorId: nil,
            kind: .assigned,
            subject: "\(number)",
            person: nil,
            reason: nil,
            before: "",
            after: ""
        )
    }

    /// A partition's clock was set back between its acts 2 and 3.
    private static let records = [
        orders: [act(4, at: 9), act(3, at: 1), act(2, at: 8), act(1, at: 2)],
        receipts: [act(7, at: 7), act(6, at: 3)],
    ]

    private static func answer(_ place: ActsPage.Place, limit: Int) -> [PartitionAddress: [Act]] {
        var answers: [PartitionAddress: [Act]] = [:]
        for (address, acts) in records {
            let older = acts.filter { $0.number < place.shown[address] ?? .max }
            answers[address] = Array(older.prefix(limit))
        }
        return answers
    }

    @Test(arguments: [1, 2, 3, 4, 6, 9])
    func `have each act once, whatever the clocks say`(limit: Int) throws {
        var (place, shown): (ActsPage.Place?, [String]) = (ActsPage.Place(), [])
        for _ in 0..<9 {
            guard let after = place else { break }
            let page = ActsPage(Self.answer(after, limit: limit), after: after, limit: limit)
            #expect(page.rows.count <= limit)
            shown += page.rows.map { "\($0.at) \($0.act.number)" }
            place = try page.next.map { try #require(ActsPage.Place(cursor: $0.cursor)) }
        }
        #expect(place == nil && shown.count == 6 && Set(shown).count == 6)
        #expect(shown.filter { $0.hasPrefix("/orders") } == (1...4).reversed().map { "/orders/1 \($0)" })
        #expect(shown.first == "/orders/1 4")
    }

    @Test func `have what a page misses on a later one`() throws {
        let orders = try #require(Self.records[Self.orders])
        let first = ActsPage([Self.orders: orders], after: ActsPage.Place(), limit: 9, isMissing: true)
        let next = try #require(first.next)
        let second = ActsPage(Self.answer(next, limit: 9), after: next, limit: 9)
        #expect(second.rows.map(\.act.number) == [7, 6] && second.next == nil)
        #expect(ActsPage([:], after: ActsPage.Place(), limit: 9, isMissing: true).next == nil)
    }

    @Test(arguments: ["", "orders.1", "orders.1.x", "orders.1.0", "orders.1.7_orders.1.6", "nobody.1.7"])
    func `begin nowhere else than a cursor says`(cursor: String) {
        #expect(ActsPage.Place(cursor: cursor) == nil)
    }
}
