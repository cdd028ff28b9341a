import AppStoreSigning
import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `What an unsigned proof states of a purchase` {
    /// 2025-12-29T09:20:00.123Z.
    private static let bought: Int64 = 1_767_000_000_123
    private static let first: Int64 = 1_764_000_000_000

    private static let stated = [
        "transaction-id": "2", "original-transaction-id": "1", "product-id": "pro.month",
        "bid": "com.example.game", "quantity": "1", "purchase-date-ms": "1767000000123",
        "purchase-date": "2025-12-29 09:20:00 Etc/GMT", "original-purchase-date-ms": "1764000000000",
    ]

    private static func transaction(
        _ change: (inout SignedTransaction) -> Void = { _ in }
    ) -> SignedTransaction {
        let type = "Auto-Renewable Subscription"
        var transaction = SignedTransaction.sample("2", of: "1", "pro.month", type, at: bought, first: first)
        change(&transaction)
        return transaction
    }

    /// A receipt of iOS 6 that states these fields.
    private static func text(_ fields: [String: String]) -> String {
        func list(_ fields: [String: String]) -> Data {
            Data(
                "{\n\(fields.sorted { $0.key < $1.key }.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined())}".utf8
            )
        }
        return list(["signature": "AAAA", "purchase-info": list(fields).base64EncodedString()])
            .base64EncodedString()
    }

    /// What a receipt of iOS 6 states when some of its fields are changed, or are absent for nil.
    private static func purchase(_ changes: [String: String?] = [:]) throws -> UnverifiedPurchase {
        var fields = stated
        for (name, value) in changes { fields[name] = value }
        return try #require(TransactionReceipt.purchase(in: text(fields)))
    }

    @Test func `is in a receipt of iOS 6 all that Apple wrote of it`() throws {
        let purchase = try Self.purchase()
        #expect(purchase.transactionId == "2" && purchase.originalTransactionId == "1")
        #expect(purchase.productId == "pro.month" && purchase.bundleId == "com.example.game")
        #expect(purchase.purchaseDate?.milliseconds == Self.bought)
        #expect(purchase.originalPurchaseDate?.milliseconds == Self.first)
        #expect(purchase.quantity == 1)
    }

    @Test func `is dated to the second where its milliseconds say no more`() throws {
        let purchase = try Self.purchase(["purchase-date-ms": "1767000000000"])
        for rest in [0, 123, 999] as [Int64] {
            let transaction = Self.transaction { $0.purchaseDate = 1_767_000_000_000 + rest }
            #expect(purchase.agrees(with: transaction))
        }
    }

    @Test(arguments: [
        ("2025-12-29 09:20:00 Etc/GMT", 1_767_000_000_000 as Int64?), ("2025-12-29 09:20:00 Etc/UTC", nil),
        ("2025-12-29 09:20:00", nil), ("2025-02-29 09:20:00 Etc/GMT", nil), ("", nil), ("soon", nil),
        ("ÄÖÜäöüÄÖÜäöü9:20:00 Etc/GMT", nil),
    ])
    func `is dated to the second where no milliseconds are`(
        date: String,
        moment: Int64?
    ) throws {
        for milliseconds in [nil, "", "soon"] {
            let changes = ["purchase-date-ms": milliseconds, "purchase-date": date]
            #expect(try Self.purchase(changes).purchaseDate?.milliseconds == moment)
        }
    }

    @Test func `is not stated where it is empty or cannot be read`() throws {
        let purchase = try Self.purchase([
            "original-transaction-id": "", "product-id": "", "bid": "", "quantity": "many",
            "purchase-date-ms": nil, "purchase-date": nil, "original-purchase-date-ms": "",
        ])
        #expect(purchase == UnverifiedPurchase(transactionId: "2"))
        #expect(TransactionReceipt.purchase(in: Self.text(["transaction-id": ""])) == nil)
    }

    @Test(
        arguments: [
            [:], ["bid": nil], ["quantity": nil], ["original-transaction-id": nil], ["purchase-date": nil],
            ["purchase-date-ms": nil], ["original-purchase-date-ms": "1"],
        ] as [[String: String?]]
    )
    func `agrees when each field of it is what Apple signed`(changes: [String: String?]) throws {
        #expect(try Self.purchase(changes).agrees(with: Self.transaction()))
    }

    @Test(
        arguments: [
            ["transaction-id": "3"], ["original-transaction-id": "2"], ["product-id": "pro.year"],
            ["product-id": "PRO.MONTH"], ["bid": "com.example.other"], ["quantity": "2"],
            ["purchase-date-ms": "1767000000124"], ["purchase-date-ms": "1767000001000"],
            ["purchase-date-ms": nil, "purchase-date": "2025-12-29 09:20:01 Etc/GMT"],
            ["purchase-date-ms": nil, "purchase-date": "2025-12-29 09:19:59 Etc/GMT"],
        ] as [[String: String?]]
    )
    func `disagrees when one field of it is anything else`(changes: [String: String?]) throws {
        #expect(try !Self.purchase(changes).agrees(with: Self.transaction()))
    }

    @Test func `agrees with nothing without product and date, which no stranger knows`() throws {
        let changes: [[String: String?]] = [
            ["product-id": nil], ["purchase-date": nil, "purchase-date-ms": nil],
            ["purchase-date": nil, "purchase-date-ms": "soon"],
        ]
        for change in changes { #expect(try !Self.purchase(change).agrees(with: Self.transaction())) }
        #expect(!UnverifiedPurchase(transactionId: "2").agrees(with: Self.transaction()))
    }

    @Test func `of a non-consumable agrees under each id that it was restored with`() throws {
        let original = Self.transaction {
            $0.type = "Non-Consumable"
            $0.transactionId = "1"
            $0.purchaseDate = Self.first
        }
        let again = Self.transaction { $0.type = "Non-Consumable" }
        for transaction in [original, again] {
            #expect(try Self.purchase().agrees(with: transaction))
            #expect(try Self.purchase(["transaction-id": "3"]).agrees(with: transaction))
            #expect(try !Self.purchase(["transaction-id": "3", "product-id": "a"]).agrees(with: transaction))
        }
        for changes in [
            ["original-transaction-id": "4"], ["original-transaction-id": nil],
            ["original-purchase-date-ms": "1764000000001"], ["original-purchase-date-ms": nil],
        ] as [[String: String?]] {
            #expect(try !Self.purchase(changes).agrees(with: original), "\(changes)")
        }
        var consumable = original
        consumable.type = "Consumable"
        #expect(try !Self.purchase().agrees(with: consumable))
    }

    @Test func `in an app receipt agrees to the second`() throws {
        let receipt = SimulatedReceipt.sample([Self.transaction()])
        let unverified = try AppReceipt(unverified: AppReceiptSigner().sign(receipt))
        let row = try #require(unverified.inApp.first)
        #expect(row.agrees(with: Self.transaction()))
        for milliseconds in [0, 999] as [Int64] {
            #expect(row.agrees(with: Self.transaction { $0.purchaseDate = 1_767_000_000_000 + milliseconds }))
        }
        let others = [
            Self.transaction { $0.transactionId = "3" }, Self.transaction { $0.originalTransactionId = "2" },
            Self.transaction { $0.productId = "pro.year" }, Self.transaction { $0.quantity = 2 },
            Self.transaction { $0.purchaseDate = 1_767_000_001_000 },
            Self.transaction { $0.purchaseDate = 1_766_999_999_999 },
        ]
        for other in others { #expect(!row.agrees(with: other)) }
    }
}
