import AppStore
import AppStoreSigning
import Contracts
import Foundation
import Testing

@Suite struct `What an app receipt says` {
    let signer: AppReceiptSigner
    let verifier: AppReceiptVerifier

    init() throws {
        signer = try AppReceiptSigner()
        verifier = signer.verifier
    }

    private func purchase(_ id: String, type: String, at date: Int64 = 1_767_000_000_000) -> SignedTransaction
    {
        .sample(id, "product.\(id)", type, at: date)
    }

    private func read(_ purchases: [SignedTransaction]) throws -> AppReceipt {
        try verifier.verify(signer.sign(.sample(purchases)))
    }

    @Test(arguments: [
        "Consumable", "Non-Consumable", "Auto-Renewable Subscription", "Non-Renewing Subscription",
    ])
    func `a purchase is the transaction that StoreKit 2 would sign`(type: String) throws {
        var bought = purchase("1000", type: type)
        bought.quantity = 3
        #expect(try read([bought]).rows == [bought])
    }

    @Test func `a subscription keeps its dates, its order item and its first transaction`() throws {
        var renewal = purchase("1002", type: "Auto-Renewable Subscription")
        renewal.originalTransactionId = "1001"
        renewal.originalPurchaseDate = 1_764_000_000_000
        renewal.expiresDate = 1_769_600_000_000
        renewal.webOrderLineItemId = "2000000118458414"
        #expect(try read([renewal]).rows == [renewal])
    }

    @Test func `a cancelled purchase is a revoked one`() throws {
        var refund = purchase("1003", type: "Consumable")
        refund.revocationDate = 1_767_100_000_000
        #expect(try read([refund]).rows == [refund])
    }

    @Test func `a trial, an introductory and a promotional offer are told apart`() throws {
        var trial = purchase("1004", type: "Auto-Renewable Subscription")
        trial.offerType = 1
        trial.offerDiscountType = "FREE_TRIAL"
        var introduction = purchase("1005", type: "Auto-Renewable Subscription")
        introduction.offerType = 1
        var promotion = purchase("1006", type: "Auto-Renewable Subscription")
        promotion.offerType = 2
        promotion.offerIdentifier = "winter"
        #expect(try read([trial, introduction, promotion]).rows == [trial, introduction, promotion])
    }

    @Test func `where Apple names no type it follows from the purchase, or is not stated`() throws {
        var subscription = purchase("2", type: "")
        subscription.expiresDate = 1_769_600_000_000
        var restored = purchase("3", type: "")
        restored.originalTransactionId = "1"
        let types = try read([purchase("1", type: ""), subscription, restored]).rows.map(\.type)
        #expect(types == ["", "Auto-Renewable Subscription", "Non-Consumable"])
    }

    @Test func `purchases travel on oldest first, then by id`() throws {
        let rows = [("7", 3), ("9", 1), ("5", 3), ("8", 2)].map { id, day in
            purchase(id, type: "Consumable", at: Int64(day) * 86_400_000)
        }
        let receipt = try read(rows)
        #expect(receipt.inApp.map(\.transactionId) == ["7", "9", "5", "8"])
        #expect(receipt.transactions.map(\.transactionId) == ["9", "8", "5", "7"])
    }

    @Test func `a receipt may be empty`() throws {
        let receipt = try read([])
        #expect(receipt.inApp.isEmpty && receipt.transactions.isEmpty)
    }

    @Test func `unknown fields are kept by their number`() throws {
        var receipt = SimulatedReceipt.sample()
        receipt.otherFields = [(type: 4_711, value: [0x0C, 0x01, 0x61])]
        let read = try verifier.verify(signer.sign(receipt))
        let kept = try #require(read.otherAttributes.first { $0.type == 4_711 })
        #expect(kept.value == [0x0C, 0x01, 0x61])
    }

    @Test(arguments: [
        ("Production", "Production"), ("ProductionVPP", "Production"), ("ProductionSandbox", "Sandbox"),
        ("ProductionVPPSandbox", "Sandbox"), ("ProductionMars", "ProductionMars"),
    ])
    func `the receipt's type names the environment`(type: String, environment: String) throws {
        var receipt = SimulatedReceipt.sample()
        receipt.receiptType = type
        receipt.purchases = [purchase("1", type: "Consumable")]
        let read = try verifier.verify(signer.sign(receipt))
        #expect(read.environment.rawValue == environment)
        #expect(read.transactions.map(\.environment) == [environment])
    }

    @Test func `a Mac's receipt is made for its network address`() throws {
        var receipt = SimulatedReceipt.sample()
        receipt.deviceID = [0xF0, 0x18, 0x98, 0x0A, 0x0B, 0x0C]
        let bytes = try signer.sign(receipt)
        _ = try verifier.verify(bytes, deviceID: "f0:18:98:0a:0b:0c")
        #expect(reason { try verifier.verify(bytes, deviceID: "f0:18:98:0a:0b:0d") } == .wrongApp)
    }

    @Test func `it is printed by verifyReceipt's names`() throws {
        var bought = purchase("1001", type: "Auto-Renewable Subscription")
        bought.expiresDate = 1_769_600_000_000
        bought.webOrderLineItemId = "42"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(try read([bought]).verifyReceiptFields), as: UTF8.self)
        let row = """
            {"expires_date":"2026-01-28 11:33:20 Etc/GMT","expires_date_ms":"1769600000000",\
            "is_in_intro_offer_period":"false","is_trial_period":"false",\
            "original_purchase_date":"2025-12-29 09:20:00 Etc/GMT","original_purchase_date_ms":"1767000000000",\
            "original_transaction_id":"1001","product_id":"product.1001",\
            "purchase_date":"2025-12-29 09:20:00 Etc/GMT","purchase_date_ms":"1767000000000",\
            "quantity":"1","transaction_id":"1001","web_order_line_item_id":"42"}
            """
        let expected = """
            {"adamId":0,"applicationVersion":"1.0","bundleId":"com.example.game",\
            "creationDate":"2026-01-01T00:00:00Z","downloadId":0,"environment":"Production",\
            "inApp":[\(row)],"originalApplicationVersion":"1.0",\
            "originalPurchaseDate":"2013-08-01T07:00:00Z","receiptType":"Production",\
            "versionExternalIdentifier":0}
            """
        #expect(json == expected)
    }

    @Test(arguments: [
        ("2025-12-26T18:39:47Z", 1_766_774_387_000), ("2025-12-26T19:39:47+0100", 1_766_774_387_000),
        ("2025-12-26T08:39:47-10:00", 1_766_774_387_000), ("2025-12-26T18:39:47.1239Z", 1_766_774_387_123),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("1970-01-01T00:00:00Z", 0),
        ("4001-01-01T00:00:00Z", 64_092_211_200_000),
    ])
    func `a date is read in every form that receipts have`(text: String, milliseconds: Int64) {
        #expect(Timestamp(receiptDate: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2025", "2025-12-26", "2025-12-26T18:39:47", "2025-12-26 18:39:47Z", "2025-13-01T00:00:00Z",
        "2025-02-29T00:00:00Z", "2025-12-26T24:00:00Z", "2025-12-26T18:39:47.Z", "2025-12-26T18:39:47Z ",
        "2025-12-26T18:39:47+1", "2025-12-26T18:39:47+01:", "2025-12-26T18:39:47+25:00",
        "+025-12-26T18:39:47Z",
    ])
    func `what is no date is not taken for one`(text: String) {
        #expect(Timestamp(receiptDate: text) == nil)
    }

    @Test(arguments: ["", "{}", "bm90aGluZw==", "InB1cmNoYXNlLWluZm8iID0g", "====", "ew==\n"])
    func `a transaction receipt without an id has none`(text: String) {
        #expect(TransactionReceipt.transactionID(in: text) == nil)
    }

    @Test func `a transaction receipt names its own transaction, not its original`() {
        let purchase = #"{"original-transaction-id" = "1"; "transaction-id" = "2"; "quantity" = "1";}"#
        let encoded = Data(purchase.utf8).base64EncodedString()
        let receipt = #"{"signature" = "AAAA"; "purchase-info" = "\#(encoded)"; "pod" = "100";}"#
        let text = Data(receipt.utf8).base64EncodedString(options: .lineLength64Characters)
        #expect(TransactionReceipt.transactionID(in: text) == "2")
    }
}

extension AppReceipt {
    /// The rows as they stand, not the payments that they stand for.
    fileprivate var rows: [SignedTransaction] { inApp.map { transaction($0) } }
}
