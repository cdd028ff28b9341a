import Contracts
import Domain
import Testing

/// A known purchase of a line item, which pays for 100 until 200, and a transaction that nobody has seen.
@Suite struct `A transaction of a known line item` {
    struct Case: CustomTestStringConvertible, Sendable {
        let promise: String
        var known: [Int64] = [100, 200]
        let incoming: [Int64]
        /// The times of other purchases, by their ids.
        var others: [String: [Int64]] = [:]
        /// The purchase; nil of a further one.
        let purchase: String?
        var testDescription: String { promise }
    }

    private static let cases = [
        Case(promise: "of the same time is the same purchase", incoming: [100, 200], purchase: "1:7"),
        Case(promise: "that overlaps at the end is the same", incoming: [199, 300], purchase: "1:7"),
        Case(promise: "that overlaps at the beginning is the same", incoming: [50, 101], purchase: "1:7"),
        Case(promise: "of a part of the time is the same", incoming: [120, 130], purchase: "1:7"),
        Case(promise: "of a longer time is the same", incoming: [50, 300], purchase: "1:7"),
        Case(
            promise: "that begins when the known one ends is a further one",
            incoming: [200, 300],
            purchase: nil
        ),
        Case(
            promise: "that ends when the known one begins is a further one",
            incoming: [50, 100],
            purchase: nil
        ),
        Case(promise: "of a later time is a further one", incoming: [250, 300], purchase: nil),
        Case(promise: "of an earlier time is a further one", incoming: [10, 20], purchase: nil),
        Case(promise: "that never expires is the same", incoming: [250], purchase: "1:7"),
        Case(promise: "that expires at once is the same", incoming: [250, 250], purchase: "1:7"),
        Case(promise: "that expires before it begins is the same", incoming: [250, 240], purchase: "1:7"),
        Case(
            promise: "is the same where the known one has no time left",
            known: [100, 100],
            incoming: [250, 300],
            purchase: "1:7"
        ),
        Case(
            promise: "is the same where the known one never expires",
            known: [100],
            incoming: [250, 300],
            purchase: "1:7"
        ),
        Case(
            promise: "that restates or refunds the second purchase is the second",
            incoming: [250, 300],
            others: ["9": [250, 300]],
            purchase: "9"
        ),
        Case(
            promise: "that restates what the second purchase was before it was cut is the second",
            incoming: [250, 300],
            others: ["9": [250, 260]],
            purchase: "9"
        ),
        Case(
            promise: "is none of the other purchases that are apart, or have no time",
            incoming: [250, 300],
            others: ["8": [200, 250], "9": [300, 350], "10": [250], "11": [260, 260]],
            purchase: nil
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
        var signed = SignedTransaction(
            transactionId: "2",
            originalTransactionId: "1",
            bundleId: "com.example.game",
            productId: "club",
            purchaseDate: 100,
            type: "Auto-Renewable Subscription",
            environment: "Production",
            signedDate: 110
        )
        #expect(PaidTime(signed) == nil)
        signed.expiresDate = 200
        #expect(PaidTime(signed) == Self.time([100, 200]))
    }
}
