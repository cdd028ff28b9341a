import Contracts
import Testing

@testable import AppStore

@Suite struct `a response of verifyReceipt` {
    let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func answer(_ json: String) throws -> VerifyReceiptResponse {
        try #require(VerifyReceiptResponse(json: Array(json.utf8)))
    }

    private func transactions(_ json: String) throws -> VerifyReceiptTransactions {
        try answer(json).transactions(from: .production, now: now)
    }

    private func receipt(_ rows: [String], latest: [String] = []) -> String {
        """
        {"status":0,"environment":"Production","receipt":{"receipt_type":"Production",
        "bundle_id":"com.example","receipt_creation_date_ms":"1600000000000",
        "request_date_ms":"1700000000000","in_app":[\(rows.joined(separator: ","))]},
        "latest_receipt_info":[\(latest.joined(separator: ","))]}
        """
    }

    private func row(_ id: String, _ purchased: String, more: String = "") -> String {
        """
        {"quantity":"1","product_id":"coins","transaction_id":"\(id)","original_transaction_id":"\(id)",
        "purchase_date_ms":"\(purchased)","is_trial_period":"false"\(more)}
        """
    }

    @Test(arguments: ["", "<html>", "null", "[]", "{", "\u{0}"])
    func `is none where there is no JSON object`(text: String) {
        #expect(VerifyReceiptResponse(json: Array(text.utf8)) == nil)
    }

    @Test(arguments: ["0", "\"0\"", "0.0"]) func `has a status as number or text`(status: String) throws {
        #expect(try answer(#"{"status":\#(status)}"#).status == 0)
    }

    @Test(arguments: ["{}", #"{"status":null}"#, #"{"status":"ok"}"#, #"{"status":[]}"#, #"{"status":""}"#])
    func `may have no status`(json: String) throws {
        #expect(try answer(json).status == nil)
    }

    @Test(arguments: ["is-retryable", "is_retryable"], ["true", "1", "\"true\"", "\"1\""])
    func `says under two names whether to ask again`(name: String, value: String) throws {
        #expect(try answer(#"{"status":21100,"\#(name)":\#(value)}"#).isRetryable == true)
        let no = value.replacing("true", with: "false").replacing("1", with: "0")
        #expect(try answer(#"{"status":21100,"\#(name)":\#(no)}"#).isRetryable == false)
    }

    @Test func `keeps fields that nobody knows`() throws {
        let answer = try answer(#"{"status":0,"new":{"a":[1,true,null,2.5,"x"]},"receipt":{"b":7}}"#)
        #expect(
            answer.fields.values["new"]
                == .object(["a": .array([.integer(1), .bool(true), .null, .number(2.5), .string("x")])])
        )
        #expect(answer.receipt?.values["b"] == .integer(7))
    }

    @Test func `tells its transactions oldest first, then by id, in whatever order they lie`() throws {
        let rows = [row("30", "3000"), row("11", "1000"), row("20", "2000"), row("10", "1000")]
        let found = try transactions(receipt(rows))
        #expect(found.transactions.map(\.transactionId) == ["10", "11", "20", "30"])
        #expect(found.unreadable.isEmpty)
        #expect(found.transactions.allSatisfy { $0.bundleId == "com.example" })
        #expect(found.transactions.allSatisfy { $0.environment == "Production" })
    }

    @Test func `may hold nothing, which is no attack`() throws {
        #expect(try transactions(receipt([])) == VerifyReceiptTransactions())
        #expect(try transactions(#"{"status":0}"#) == VerifyReceiptTransactions())
    }

    @Test func `tells every field of a transaction`() throws {
        let json = receipt(
            [],
            latest: [
                """
                {"quantity":"2","product_id":"pass","transaction_id":"21","original_transaction_id":"20",
                "purchase_date":"2023-11-14 22:13:20 Etc/GMT","original_purchase_date_ms":"1600000000001",
                "expires_date_ms":"1700000100000","web_order_line_item_id":"77","is_trial_period":"true",
                "is_in_intro_offer_period":"false","cancellation_date_ms":"1700000050000",
                "cancellation_reason":"1","app_account_token":"7e3fb20b-4cdb-47cc-936d-99d65f608138",
                "in_app_ownership_type":"FAMILY_SHARED","is_upgraded":"true",
                "subscription_group_identifier":"555"}
                """
            ]
        )
        let transaction = try #require(try transactions(json).transactions.first)
        var expected = SignedTransaction(
            transactionId: "21",
            originalTransactionId: "20",
            bundleId: "com.example",
            productId: "pass",
            purchaseDate: 1_700_000_000_000,
            quantity: 2,
            type: "Auto-Renewable Subscription",
            environment: "Production",
            signedDate: 1_700_000_050_000
        )
        expected.originalPurchaseDate = 1_600_000_000_001
        expected.expiresDate = 1_700_000_100_000
        expected.webOrderLineItemId = "77"
        expected.offerType = 1
        expected.offerDiscountType = "FREE_TRIAL"
        expected.revocationDate = 1_700_000_050_000
        expected.revocationReason = 1
        expected.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        expected.inAppOwnershipType = "FAMILY_SHARED"
        expected.isUpgraded = true
        expected.subscriptionGroupIdentifier = "555"
        #expect(transaction == expected)
    }

    @Test func `has numbers and flags as text or not, and means the same`() throws {
        let asText = """
            {"quantity":"3","product_id":"coins","transaction_id":"9","original_transaction_id":"9",
            "purchase_date_ms":"1000","is_trial_period":"true","is_upgraded":"false"}
            """
        let asNumbers = """
            {"quantity":3,"product_id":"coins","transaction_id":9,"original_transaction_id":9,
            "purchase_date_ms":1000,"is_trial_period":true,"is_upgraded":false}
            """
        #expect(try transactions(receipt([asText])) == transactions(receipt([asNumbers])))
        #expect(try transactions(receipt([asText])).transactions.first?.quantity == 3)
    }

    @Test func `tells a transaction of both lists once, by the newer`() throws {
        let old = row("7", "1000", more: #","expires_date_ms":"5000""#)
        let new = row("7", "1000", more: #","cancellation_date_ms":"4000""#)
        let found = try transactions(receipt([old], latest: [new])).transactions
        #expect(found.count == 1)
        #expect(found.first?.expiresDate == 5_000)
        #expect(found.first?.revocationDate == 4_000)
        #expect(found.first?.signedDate == 1_700_000_000_000)
    }

    @Test func `dates what stands in the receipt alone by the receipt, so that it undoes no later refund`()
        throws
    {
        let found = try transactions(receipt([row("1", "1000")], latest: [row("2", "2000")])).transactions
        #expect(found.map(\.signedDate) == [1_600_000_000_000, 1_700_000_000_000])
        let late = row("3", "1000", more: #","cancellation_date_ms":"1650000000000""#)
        #expect(try transactions(receipt([late])).transactions.first?.signedDate == 1_650_000_000_000)
    }

    @Test(arguments: ["transaction_id", "product_id", "purchase_date_ms"])
    func `sets a row aside that lacks what every transaction has, and tells the others`(name: String) throws {
        let bad = row("5", "1000").replacing("\"\(name)\"", with: "\"other\"")
        let found = try transactions(receipt([row("1", "1000"), bad, row("2", "2000")]))
        #expect(found.transactions.map(\.transactionId) == ["1", "2"])
        #expect(found.unreadable.count == 1)
        #expect(found.unreadable.first?.values["other"] != nil)
    }

    @Test func `sets aside what is no row at all`() throws {
        let found = try transactions(receipt(["7", "\"x\"", row("1", "1000"), "null"]))
        #expect(found.transactions.count == 1)
        #expect(found.unreadable.count == 3)
    }

    @Test func `about a receipt of iOS 6 is its one purchase`() throws {
        let found = try transactions(
            """
            {"status":0,"receipt":{"bid":"com.example","bvrs":"1.0","quantity":"1","product_id":"coins",
            "transaction_id":"1000000046178817","original_transaction_id":"1000000046178817",
            "purchase_date":"2012-04-30 15:05:55 Etc/GMT","purchase_date_ms":"1335798355868",
            "item_id":"521129812","unique_identifier":"x"}}
            """
        )
        let transaction = try #require(found.transactions.first)
        #expect(transaction.bundleId == "com.example")
        #expect(transaction.transactionId == "1000000046178817")
        #expect(transaction.purchaseDate == 1_335_798_355_868)
        #expect(transaction.signedDate == 1_335_798_355_868)
        #expect(transaction.type.isEmpty, "it does not say")
        #expect(found.transactions.count == 1)
    }

    @Test func `about an ended subscription of iOS 6 tells its end under another name`() throws {
        let found = try transactions(
            """
            {"status":21006,"receipt":{"bid":"com.example","product_id":"pass","transaction_id":"5",
            "original_transaction_id":"4","purchase_date_ms":"1335798355868","expires_date":"1335798355999"},
            "latest_expired_receipt_info":{"bid":"com.example","product_id":"pass","transaction_id":"6",
            "original_transaction_id":"4","purchase_date_ms":"1335798356000","expires_date":"1335798400000"}}
            """
        )
        #expect(found.transactions.map(\.transactionId) == ["5", "6"])
        #expect(found.transactions.map(\.expiresDate) == [1_335_798_355_999, 1_335_798_400_000])
        #expect(found.transactions.last?.signedDate == now.milliseconds)
        #expect(found.transactions.last?.type == "Auto-Renewable Subscription")
    }

    @Test func `of the sandbox says so, or is that of the server that answered`() throws {
        let named = receipt([row("1", "1000")]).replacing("\"Production\",\"rec", with: "\"Sandbox\",\"rec")
        #expect(try transactions(named).transactions.first?.environment == "Sandbox")
        let unnamed = try answer(receipt([row("1", "1000")]).replacing("\"environment\"", with: "\"x\""))
        let found = unnamed.transactions(from: .sandbox, now: now).transactions
        #expect(found.first?.environment == "Sandbox")
    }

    @Test func `tells an offer by code, by the app or to new buyers`() throws {
        let rows = [
            row("1", "1000", more: #","offer_code_ref_name":"spring""#),
            row("2", "2000", more: #","promotional_offer_id":"back""#),
            row("3", "3000", more: #","is_in_intro_offer_period":"true""#),
        ]
        let found = try transactions(receipt([], latest: rows)).transactions
        #expect(found.map(\.offerType) == [3, 2, 1])
        #expect(found.map(\.offerIdentifier) == ["spring", "back", nil])
    }

    @Test func `with a huge number, or nested deeply, does not bring anything down`() throws {
        let huge = try transactions(receipt([row("1", "99999999999999999999"), row("2", "2000")]))
        #expect(huge.transactions.map(\.transactionId) == ["2"])
        #expect(huge.unreadable.count == 1)
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(VerifyReceiptResponse(json: Array(#"{"status":0,"x":\#(deep)}"#.utf8)) == nil)
    }
}
