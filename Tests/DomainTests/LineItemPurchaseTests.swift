import Contracts
import Domain
import Testing

/// A known purchase of a line item, which pays for 100 until 200, and a transaction that nobody has seen.
@Suite struct `A transaction of a known line item` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: [Int64]
        let incoming: [Int64]
        /// The times of other purchases, by their ids.
        let others: [String: [Int64]]
        /// The purchase; nil of a further one.
        let purchase: String?

        init(
            _ promise: String,
            _ incoming: [Int64] = [250, 300],
            is purchase: String?,
            known: [Int64] = [100, 200],
            others: [String: [Int64]] = [:]
        ) {
            (testDescription, self.incoming, self.purchase) = (promise, incoming, purchase)
            (self.known, self.others) = (known, others)
        }
    }

    private static let cases = [
        Case("of the same time is the same purchase", [100, 200], is: "1:7"),
        Case("that overlaps at the end is the same", [199, 300], is: "1:7"),
        Case("that overlaps at the beginning is the same", [50, 101], is: "1:7"),
        Case("of a part of the time is the same", [120, 130], is: "1:7"),
        Case("of a longer time is the same", [50, 300], is: "1:7"),
        Case("that begins when the known one ends is a further one", [200, 300], is: nil),
        Case("that ends when the known one begins is a further one", [50, 100], is: nil),
        Case("of a later time is a further one", [250, 300], is: nil),
        Case("of an earlier time is a further one", [10, 20], is: nil),
        Case("that never expires is the same", [250], is: "1:7"),
        Case("that expires at once is the same", [250, 250], is: "1:7"),
        Case("that expires before it begins is the same", [250, 240], is: "1:7"),
        Case("is the same where the known one has no time left", is: "1:7", known: [100, 100]),
        Case("is the same where the known one never expires", is: "1:7", known: [100]),
        Case(
            "that restates or refunds the second purchase is the second",
            is: "9",
            others: ["9": [250, 300]]
        ),
        Case(
            "that restates what the second purchase was before it was cut is the second",
            is: "9",
            others: ["9": [250, 260]]
        ),
        Case(
            "is none of the other purchases that are apart, or have no time",
            is: nil,
            others: ["8": [200, 250], "9": [300, 350], "10": [250], "11": [260, 260]]
        ),
    ]

    private static func time(_ dates: [Int64]) -> PaidTime? {
        let dates = dates.map(Timestamp.init(milliseconds:))
        return PaidTime(from: dates[0], until: dates.count > 1 ? dates[1] : nil)
    }

    @Test(arguments: cases) func `follows the time for which it pays`(_ one: Case) {
        let known = LineItemPurchase(PurchaseID(unchecked: "1:7"), paying: Self.time(one.known))
        let others = one.others.map {
            LineItemPurchase(PurchaseID(unchecked: $0.key), paying: Self.time($0.value))
        }
        let purchase = known.purchase(paidBy: Self.time(one.incoming)) { others }
        #expect(purchase?.rawValue == one.purchase)
    }

    @Test func `is compared with others only if it is apart from the known purchase`() {
        let known = LineItemPurchase(PurchaseID(unchecked: "1:7"), paying: Self.time([100, 200]))
        var looks = 0
        for incoming: [Int64] in [[100, 200], [150], [200, 300]] {
            _ = known.purchase(paidBy: Self.time(incoming)) {
                looks += 1
                return []
            }
        }
        #expect(looks == 1)
    }

    @Test func `pays from its purchase until it expires`() {
        var signed = SignedTransaction.sample(ProductType.autoRenewable, purchased: 100, signed: 110)
        #expect(PaidTime(signed) == nil)
        signed.expiresDate = 200
        #expect(PaidTime(signed) == Self.time([100, 200]))
    }
}
