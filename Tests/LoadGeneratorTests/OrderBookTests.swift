import Foundation
import Testing

@testable import LoadGenerator

/// Two orders of one buyer for one product, the same buyer's for another, and another buyer's.
private enum Orders {
    static let named = UUID()
    static let other = UUID()
    static let ofOtherProduct = UUID()
    static let ofOtherBuyer = UUID()

    static func isPlaced(in book: inout OrderBook) {
        book.place(named, PlacedOrder(buyer: 1, product: 0, reference: "R-1"))
        book.place(other, PlacedOrder(buyer: 1, product: 0))
        book.place(ofOtherProduct, PlacedOrder(buyer: 1, product: 5))
        book.place(ofOtherBuyer, PlacedOrder(buyer: 2, product: 0))
    }
}

/// A payment as the judge knows it, and the order that its entry says.
private struct Paying {
    var names = NamedOrder.byToken(Orders.named)
    /// Nil is one made on the spot.
    var order: UUID?
    var buyer: Int32 = 1
    var product: UInt8 = 0
    /// Nil is that of the order.
    var reference: String??

    var expectation: PurchaseExpectation { .init(owner: buyer, product: product, names: names) }

    var entry: LedgerPage.Entry {
        var entry = LedgerPage.Entry("grant", "vip", 1)
        entry.orderId = order ?? UUID()
        entry.reference = reference ?? (order == Orders.named ? "R-1" : nil)
        return entry
    }
}

/// What payments pay, and how many faults that is.
private struct Case: CustomTestStringConvertible {
    let testDescription: String
    let payments: [Paying]
    var ungranted: [Paying] = []

    init(_ name: String, _ payments: Paying..., ungranted: [Paying] = []) {
        (testDescription, self.payments, self.ungranted) = (name, payments, ungranted)
    }

    var faults: [String] { book.faults(ungranted: ungranted.map(\.expectation)) }

    var book: OrderBook {
        var book = OrderBook()
        Orders.isPlaced(in: &book)
        for (number, payment) in payments.enumerated() {
            book.note(payment.entry, of: UInt64(number + 1), payment.expectation)
        }
        return book
    }

    private static let spot = Paying()
    private static let upgrade = taking(Orders.named)

    private static func taking(_ order: UUID?) -> Paying { Paying(names: .nothing, order: order) }

    private static func submission(_ named: UUID, paying order: UUID? = nil) -> Paying {
        Paying(names: .bySubmission(named), order: order)
    }

    static let right = [
        Case("an order is paid by its token", Paying(order: Orders.named)),
        Case("an order is paid by the submission", submission(Orders.named, paying: Orders.named)),
        Case("of twins one pays the order", spot, Paying(order: Orders.named)),
        Case("an upgrade takes the order of a token", spot, upgrade),
        Case("an upgrade takes the order of a submission", submission(Orders.named), upgrade),
        Case(
            "whose order was taken takes the next one, and so does the owner of that",
            upgrade,
            submission(Orders.named, paying: Orders.other),
            Paying(names: .byToken(Orders.other))
        ),
        Case("an upgrade comes before its order is paid", taking(Orders.other)),
        Case("an upgrade gets an order of its own", taking(nil)),
        Case("a token of an order for another product", Paying(names: .byToken(Orders.ofOtherProduct))),
        Case("a renewal has an order of its own", Paying(names: .byRenewal(token: Orders.named))),
        Case("a renewal without a token has an order of its own", Paying(names: .byRenewal(token: nil))),
        Case(
            "a renewal pays by its token before its chain has a holder",
            spot,
            Paying(names: .byRenewal(token: Orders.named), order: Orders.named)
        ),
        Case("an upgrade that was refunded first has taken the order", spot, ungranted: [upgrade]),
        Case("a twin that was refunded first has taken the order", spot, ungranted: [spot]),
    ]

    static let wrong = [
        Case("nobody pays the order of a token", spot),
        Case("nobody pays the order of twins", spot, spot),
        Case("nobody pays the order of a submission", submission(Orders.named)),
        Case(
            "the order is taken by a renewal without a token",
            Paying(names: .byRenewal(token: nil), order: Orders.named)
        ),
        Case("a token pays another order", Paying(order: Orders.other), upgrade),
        Case(
            "a submission pays another order that is not taken",
            submission(Orders.named, paying: Orders.other)
        ),
        Case(
            "whose order is taken pays one of another product",
            upgrade,
            submission(Orders.named, paying: Orders.ofOtherProduct)
        ),
        Case("an upgrade takes an order of another product", taking(Orders.ofOtherProduct)),
        Case("an upgrade takes an order of another buyer", taking(Orders.ofOtherBuyer)),
        Case(
            "a token pays an order of another product",
            Paying(names: .byToken(Orders.ofOtherProduct), order: Orders.ofOtherProduct)
        ),
        Case(
            "a renewal of another product pays by its token",
            Paying(names: .byRenewal(token: Orders.named), order: Orders.named, product: 5)
        ),
        Case("two pay one order", Paying(order: Orders.named), Paying(order: Orders.named)),
        Case("an order has lost its reference", Paying(order: Orders.named, reference: .some(nil))),
        Case("an order on the spot has a reference", Paying(names: .nothing, reference: "R-1")),
        Case("a twin of another product was refunded first", spot, ungranted: [Paying(product: 5)]),
        Case(
            "an upgrade of another buyer was refunded first",
            spot,
            ungranted: [Paying(names: .nothing, buyer: 2)]
        ),
        Case(
            "what was refunded first has no token, and names the order",
            spot,
            ungranted: [submission(Orders.named)]
        ),
    ]
}

@Suite struct `which order a payment may pay` {
    @Test(arguments: Case.right)
    private func `is its own, or another where a payment without a token came first`(example: Case) {
        #expect(example.faults == [])
    }

    @Test(arguments: Case.wrong)
    private func `is no other, and each fault counts once`(example: Case) {
        #expect(example.faults.count == 1)
    }

    @Test(arguments: [NamedOrder.byToken(Orders.other), .byRenewal(token: nil)])
    func `is not taken by a payment that could not: both are wrong`(names: NamedOrder) {
        let taken = Paying(names: names, order: Orders.named)
        #expect(Case("taken", Paying(), taken).faults.count == 2)
    }

    @Test func `is counted where a payment without a token has taken another's`() {
        let upgrade = Paying(names: .nothing, order: Orders.named)
        #expect(Case("taken", Paying(), upgrade).book.taken == 1)
        #expect(Case("twins", Paying(), Paying(order: Orders.named)).book.taken == 0)
    }

    @Test func `is one and the same in all entries of a payment`() {
        var book = OrderBook()
        Orders.isPlaced(in: &book)
        let paying = Paying(order: Orders.named)
        for _ in 0..<2 { book.note(paying.entry, of: 1, paying.expectation) }
        #expect(book.faults(ungranted: []) == [])
        book.note(Paying(order: Orders.other).entry, of: 1, paying.expectation)
        #expect(book.faults(ungranted: []).count == 1)
    }

    @Test func `is told with the payment, its orders, and who pays the one that it names`() throws {
        let taken = Paying(names: .bySubmission(Orders.other), order: Orders.named)
        let faults = Case("told", Paying(order: Orders.ofOtherBuyer), taken).faults
        let fault = try #require(faults.first)
        let parts = [
            "payment 1 of buyer 1 for product 0, which names byToken(\(Orders.named))",
            "pays \(Orders.ofOtherBuyer) (placed by buyer 2 for product 0)",
            "the named order \(Orders.named) (placed by buyer 1 for product 0, reference R-1)",
            "is paid by payment 2 of buyer 1 for product 0, which names bySubmission(\(Orders.other))",
        ]
        for part in parts { #expect(fault.contains(part)) }
    }
}
