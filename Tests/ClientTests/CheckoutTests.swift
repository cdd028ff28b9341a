import Testing

@testable import CounterfoilClient

/// One product's machine against the table of its documentation.
@Suite struct `A checkout` {
    static func checkout(in phase: Checkout.Phase) -> Checkout {
        var checkout = Checkout()
        let way: [Checkout.Event] = [.buy(buyer: "ada"), .ordered(.sample), .kept]
        let length: Int =
            switch phase {
            case .idle: 0
            case .ordering: 1
            case .keeping: 2
            case .paying: 3
            }
        for event in way.prefix(length) { _ = checkout.apply(event) }
        return checkout
    }

    static let events: [String: Checkout.Event] = [
        "buy": .buy(buyer: "ada"), "ordered": .ordered(.sample), "refused": .refused, "kept": .kept,
        "paid": .paid, "unpaid": .unpaid(.cancelled),
    ]

    @Test func `Every phase and event does what the table says`() throws {
        let table = try Table(of: "Checkout.swift")
        #expect(table.cells.count == 24)
        for cell in table.cells {
            let phase = try #require(Checkout.Phase(rawValue: cell.row))
            var checkout = Self.checkout(in: phase)
            #expect(checkout.phase == phase)
            let words = checkout.apply(try #require(Self.events[cell.column])).map(\.word)
            #expect(
                Table.text(words, from: phase.rawValue, to: checkout.phase.rawValue) == cell.text,
                "\(cell)"
            )
        }
    }

    @Test(arguments: Checkout.Phase.allCases)
    func `An event that the table refuses leaves no trace`(phase: Checkout.Phase) throws {
        for cell in try Table(of: "Checkout.swift").cells where cell.row == phase.rawValue && cell.text == "–"
        {
            var checkout = Self.checkout(in: phase)
            _ = checkout.apply(try #require(Self.events[cell.column]))
            #expect(checkout == Self.checkout(in: phase), "\(cell)")
        }
    }

    @Test func `What failed is reported with its error, and stays kept`() {
        var checkout = Self.checkout(in: .paying)
        let outcome = PurchaseOutcome.failed(domain: "SKErrorDomain", code: "2")
        var kept = KeptPurchase.sample
        kept.state = .unpaid
        #expect(
            checkout.apply(.unpaid(outcome)) == [
                .keep(kept), .report(orderID: "order-1", buyer: "ada", outcome),
            ]
        )
    }
}
