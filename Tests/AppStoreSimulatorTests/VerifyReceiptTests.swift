import Contracts
import Foundation
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `verifyReceipt of the simulated store` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    /// The receipt of a buyer who bought something now.
    private func receipt(_ more: String = "") async throws -> String {
        let wanted = more.isEmpty ? "" : ",\(more)"
        return try await store.buy("pro", "Non-Consumable", #""appReceipt":true\#(wanted)"#)
            .text("appReceipt")
    }

    @Test func `answers a receipt with its rows, numbers as texts and dates three times`() async throws {
        let sold = try await store.buy("pro", "Non-Consumable", #""appReceipt":true"#)
        let answer = try await store.verify(sold.text("appReceipt"))
        #expect(answer.status == 200)
        #expect(answer["status"] == .integer(0))
        #expect(answer["environment"] == .string("Production"))
        #expect(answer["receipt", "bundle_id"] == .string(TestStore.bundle))
        #expect(answer["receipt", "receipt_type"] == .string("Production"))
        #expect(answer["receipt", "adam_id"] == .integer(1_234_567_890))
        #expect(answer["receipt", "in_app", "0", "quantity"] == .string("1"))
        #expect(answer.text("receipt", "in_app", "0", "transaction_id") == sold.transactionId)
        let dates = ["", "_ms", "_pst"].map { answer.text("receipt", "in_app", "0", "purchase_date\($0)") }
        let noon = [
            "2026-11-01 12:00:00 Etc/GMT", "1793534400000", "2026-11-01 04:00:00 America/Los_Angeles",
        ]
        #expect(dates == noon)
        #expect(answer["latest_receipt_info"] == nil)
    }

    @Test func `answers 21000 to whatever is not a POST`() async throws {
        let answer = try await store.send(.get, "/production/verifyReceipt")
        #expect((answer.status, answer.receiptStatus) == (200, 21_000))
    }

    @Test(arguments: [
        "{", "{}", #"{"receipt-data":5}"#, #"{"receipt-data":""}"#, #"{"receipt-data":"%%"}"#,
        #"{"receipt-data":"AAAA"}"#, #"{"receipt-data":"MAA="}"#, #"{"receipt-data":"e30="}"#,
    ])
    func `answers 21002 to what is no receipt`(body: String) async throws {
        let answer = try await store.send(.post, "/production/verifyReceipt", body)
        #expect((answer.status, answer.receiptStatus) == (200, 21_002))
    }

    @Test func `answers 21003 to a receipt that another store signed, or that was changed`() async throws {
        let bytes = try #require(Data(base64Encoded: try await self.receipt()))
        var changed = bytes
        changed[changed.count - 1] ^= 1
        #expect(try await store.verify(changed.base64EncodedString()).receiptStatus == 21_003)
        try await store.fault("/_control/purchases", "wrongSignature")
        #expect(try await store.verify(self.receipt()).receiptStatus == 21_003)
        let old = try await store.buy("p", "Consumable", #""transactionReceipt":true"#)
        let receipt = old.text("transactions", "0", "transactionReceipt")
        #expect(try await store.verify(receipt).receiptStatus == 21_003)
    }

    @Test func `answers 21004 to another secret, and to none where there is a subscription`() async throws {
        let receipt = try await self.receipt()
        let gold = try await store.subscribe(#""appReceipt":true"#).text("appReceipt")
        let app = #"{"bundleId":"com.example.game","sharedSecret":"s3cret"}"#
        #expect(try await store.control("apps", app).status == 204)
        let right = #""password":"s3cret""#
        let wrong = #""password":"other""#
        #expect(try await store.verify(receipt, more: wrong).receiptStatus == 21_004)
        #expect(try await store.verify(gold, more: wrong).receiptStatus == 21_004)
        #expect(try await store.verify(gold).receiptStatus == 21_004)
        #expect(try await store.verify(receipt).receiptStatus == 0)
        #expect(try await store.verify(gold, more: right).receiptStatus == 0)
    }

    @Test func `answers 21007 and 21008 to the other environment's receipt`() async throws {
        let production = try await self.receipt()
        let sandbox = try await self.receipt(#""environment":"Sandbox""#)
        #expect(try await store.verify(sandbox).receiptStatus == 21_007)
        #expect(try await store.verify(production, .sandbox).receiptStatus == 21_008)
        let right = try await store.verify(sandbox, .sandbox)
        #expect(right["environment"] == .string("Sandbox"))
        #expect(right["receipt", "receipt_type"] == .string("ProductionSandbox"))
    }

    @Test func `answers 21010 for an account that was deleted`() async throws {
        let sold = try await store.buy("pro", "Non-Consumable", #""appReceipt":true"#)
        _ = try await store.event("deleteAccount", sold.transactionId)
        #expect(try await store.verify(sold.text("appReceipt")).receiptStatus == 21_010)
    }

    @Test func `answers HTTP 413 to more than 3 MiB`() async throws {
        let receipt = String(repeating: "A", count: StoreCall.maximumReceiptBytes)
        #expect(try await store.verify(receipt).status == 413)
    }

    @Test func `answers a receipt of iOS 6 flat, and 21006 when its subscription has expired`() async throws {
        let sold = try await store.buy("coins.120", "Consumable", #""transactionReceipt":true"#)
        let answer = try await store.verify(sold.text("transactions", "0", "transactionReceipt"))
        #expect(answer.receiptStatus == 0)
        #expect(answer["receipt", "bid"] == .string(TestStore.bundle))
        #expect(answer["receipt", "product_id"] == .string("coins.120"))
        #expect(answer["receipt", "in_app"] == nil)
        let gold = try await store.subscribe(#""transactionReceipt":true"#)
        let receipt = gold.text("transactions", "0", "transactionReceipt")
        #expect(try await store.verify(receipt).receiptStatus == 0)
        store.clock.advance(days: 32)
        let expired = try await store.verify(receipt)
        #expect(expired.receiptStatus == 21_006)
        #expect(expired["receipt", "product_id"] == .string("gold.monthly"))
    }

    @Test func `tells of subscriptions what is latest, short where that is asked for`() async throws {
        let sold = try await store.subscribe(#""appReceipt":true"#)
        let id = sold.transactionId
        store.clock.advance(days: 30)
        _ = try await store.event("renew", id)
        _ = try await store.event("failToRenew", id, #""gracePeriodDays":16"#)
        let long = try await store.verify(sold.text("appReceipt"))
        #expect(long.array("latest_receipt_info").count == 2)
        #expect(long["receipt", "in_app", "1"] == nil)
        #expect(long.text("pending_renewal_info", "0", "auto_renew_status") == "1")
        #expect(long.text("pending_renewal_info", "0", "is_in_billing_retry_period") == "1")
        #expect(long.text("pending_renewal_info", "0", "expiration_intent") == "2")
        #expect(!long.text("pending_renewal_info", "0", "grace_period_expires_date_ms").isEmpty)
        #expect(try await store.verify(long.text("latest_receipt")).receiptStatus == 0)
        let isShort = #""exclude-old-transactions":true"#
        let short = try await store.verify(sold.text("appReceipt"), more: isShort)
        #expect(short.array("latest_receipt_info").count == 1)
        #expect(short.text("latest_receipt_info", "0", "original_transaction_id") == id)
        #expect(short.text("latest_receipt_info", "0", "transaction_id") != id)
    }

    @Test func `tells of a refund in a receipt that was made before it`() async throws {
        let sold = try await store.buy("pro", "Non-Consumable", #""appReceipt":true"#)
        _ = try await store.control("refunds", #"{"transactionId":"\#(sold.transactionId)","reason":1}"#)
        let answer = try await store.verify(sold.text("appReceipt"))
        #expect(answer.text("receipt", "in_app", "0", "cancellation_reason") == "1")
        #expect(!answer.text("receipt", "in_app", "0", "cancellation_date_ms").isEmpty)
    }

    @Test func `knows a receipt with nothing in it`() async throws {
        let fresh = try await store.control("receipts", #"{"bundleId":"com.example.game"}"#)
        let answer = try await store.verify(fresh.text("appReceipt"))
        #expect(answer.receiptStatus == 0)
        #expect(answer["receipt", "in_app"] == .array([]))
    }
}
