import AppStore
import Contracts
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `the simulated App Store Server API` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    @Test func `gives a transaction's info, signed later than the purchase`() async throws {
        let id = try await store.buy().transactionId
        store.clock.advance(hours: 1)
        let answer = try await store.api(.get, "v1/transactions/\(id)")
        let transaction = try store.verified(answer.text("signedTransactionInfo"))
        #expect(transaction.transactionId == id)
        #expect(transaction.signedDate == store.clock.now.milliseconds)
        #expect(transaction.purchaseDate < transaction.signedDate)
    }

    @Test(arguments: [
        "v1/transactions/%", "v2/history/%", "v2/refund/lookup/%", "v1/subscriptions/%",
    ])
    func `refuses an id that is none, and one of another app or environment`(path: String) async throws {
        let id = try await store.buy().transactionId
        func get(_ id: String) -> String { path.replacing("%", with: id) }
        let malformed = try await store.api(.get, get("abc"))
        #expect((malformed.status, malformed.errorCode) == (400, 4_000_006))
        let unknown = try await store.api(.get, get("123"))
        #expect((unknown.status, unknown.errorCode) == (404, 4_040_010))
        #expect(try await store.api(.get, get(id)).status == 200)
        #expect(try await store.api(.get, get(id), environment: .sandbox).errorCode == 4_040_010)
        #expect(try await store.api(.get, get(id), bundle: "com.example.other").errorCode == 4_040_010)
    }

    @Test func `pages a history of 45 by 20, and goes on when something changes`() async throws {
        let sold = try await store.buy("coins.120", "Consumable", #""count":45,"account":"ada""#)
        let ids = (0..<45).map { sold.text("transactions", "\($0)", "transactionId") }
        var seen: [String] = []
        var revision = ""
        for (size, hasMore) in [(20, true), (20, true), (5, false)] {
            let query = revision.isEmpty ? "" : "?revision=\(revision)"
            let page = try await store.api(.get, "v2/history/\(ids[0])\(query)")
            #expect(page.array("signedTransactions").count == size)
            #expect(page["hasMore"] == .bool(hasMore))
            revision = page.text("revision")
            for case .string(let jws) in page.array("signedTransactions") {
                seen.append(try store.verified(jws).transactionId)
            }
        }
        #expect(seen == ids)
        _ = try await store.control("refunds", #"{"transactionId":"\#(ids[3])"}"#)
        let changed = try await store.api(.get, "v2/history/\(ids[0])?revision=\(revision)")
        #expect(changed.array("signedTransactions").count == 1)
        #expect(try store.verified(changed.text("signedTransactions", "0")).transactionId == ids[3])
    }

    @Test func `filters and sorts a history`() async throws {
        let id = try await store.buy("coins.120", "Consumable", #""account":"ada""#).transactionId
        store.clock.advance(hours: 1)
        let proId = try await store.buy("pro", "Non-Consumable", #""account":"ada""#).transactionId
        _ = try await store.subscribe(#""account":"ada","subscriptionGroupIdentifier":"g7""#)
        _ = try await store.event("refund", id)
        let counts = [
            ("", 3), ("productId=coins.120&productId=pro", 2), ("productType=NON_CONSUMABLE", 1),
            ("productType=CONSUMABLE&productType=AUTO_RENEWABLE", 2), ("subscriptionGroupIdentifier=g7", 1),
            ("revoked=true", 1), ("revoked=false", 2), ("inAppOwnershipType=FAMILY_SHARED", 0),
            ("endDate=\(TestStore.start)", 1), ("startDate=\(TestStore.start + 1)", 2),
        ]
        for (query, count) in counts {
            let history = try await store.api(.get, "v2/history/\(id)?\(query)")
            #expect(history.array("signedTransactions").count == count, "\(query)")
        }
        let last = try await store.api(.get, "v2/history/\(proId)?sort=DESCENDING")
        #expect(try store.verified(last.text("signedTransactions", "0")).transactionId == id)
    }

    @Test(arguments: [
        ("revision=x", Int64(4_000_005)), ("startDate=x", 4_000_015), ("endDate=-1", 4_000_016),
        ("startDate=2&endDate=1", 4_000_013), ("productType=GIFT", 4_000_022), ("sort=UP", 4_000_021),
        ("inAppOwnershipType=MINE", 4_000_026), ("revoked=1", 4_000_030), ("productId=", 4_000_023),
    ])
    func `refuses a history's wrong parameter by its code`(query: String, code: Int64) async throws {
        let id = try await store.buy().transactionId
        let answer = try await store.api(.get, "v2/history/\(id)?\(query)")
        #expect((answer.status, answer.errorCode) == (400, code))
    }

    @Test func `lists refunds and nothing else`() async throws {
        let sold = try await store.buy("coins.120", "Consumable", #""count":3,"account":"ada""#)
        let id = sold.text("transactions", "1", "transactionId")
        #expect(try await store.api(.get, "v2/refund/lookup/\(id)")["signedTransactions"] == .array([]))
        _ = try await store.event("refund", id, #""percentage":25000"#)
        let answer = try await store.api(.get, "v2/refund/lookup/\(id)")
        #expect(answer.array("signedTransactions").count == 1)
        let refund = try store.verified(answer.text("signedTransactions", "0"))
        #expect(refund.revocationType == "REFUND_PRORATED")
        #expect(refund.revocationPercentage == 25_000)
    }

    @Test func `gives the status of each subscription by its group`() async throws {
        let gold = try await store.subscribe(#""account":"ada","subscriptionGroupIdentifier":"g1""#)
        let news = try await store.subscribe(#""account":"ada","subscriptionGroupIdentifier":"g2""#)
        let id = gold.transactionId
        _ = try await store.event("expire", news.transactionId)
        let all = try await store.api(.get, "v1/subscriptions/\(id)")
        #expect(all["data", "0", "subscriptionGroupIdentifier"] == .string("g1"))
        #expect(all["data", "0", "lastTransactions", "0", "status"] == .integer(1))
        #expect(all["data", "1", "lastTransactions", "0", "status"] == .integer(2))
        let signed = Array(all.text("data", "0", "lastTransactions", "0", "signedRenewalInfo").utf8)
        let renewal: RenewalInfoPayload = try SignedDataVerifier(extraRoots: store.roots)
            .verify(signed, now: store.clock.now)
        #expect(renewal.originalTransactionId == id)
        #expect(renewal.autoRenewStatus == 1)
        let active = try await store.api(.get, "v1/subscriptions/\(id)?status=1&status=4")
        #expect(active.array("data").count == 1)
        #expect(try await store.api(.get, "v1/subscriptions/\(id)?status=9").errorCode == 4_000_031)
    }

    @Test func `looks up an invoice's number, in production only`() async throws {
        let sold = try await store.buy()
        let number = sold.text("transactions", "0", "customerOrderNumber")
        let answer = try await store.api(.get, "v1/lookup/\(number)")
        #expect(answer["status"] == .integer(0))
        let id = try store.verified(answer.text("signedTransactions", "0")).transactionId
        #expect(id == sold.transactionId)
        for unknown in ["MK1", "XX", "MK!"] {
            #expect(try await store.api(.get, "v1/lookup/\(unknown)")["status"] == .integer(1))
        }
        let sandbox = try await store.api(.get, "v1/lookup/\(number)", environment: .sandbox)
        #expect((sandbox.status, sandbox.errorCode) == (404, nil))
    }

    @Test func `finishes a consumable, which then leaves the receipt but not the history`() async throws {
        let id = try await store.buy().transactionId
        #expect(try await store.event("finish", id).status == 200)
        let refreshed = try await store.control("receipts", #"{"transactionId":"\#(id)"}"#)
        let answer = try await store.verify(refreshed.text("appReceipt"))
        #expect(answer["receipt", "in_app"] == .array([]))
        let history = try await store.api(.get, "v2/history/\(id)")
        #expect(history.array("signedTransactions").count == 1)
    }

    @Test func `sets the account token of a purchase and its renewals`() async throws {
        let id = try await store.subscribe().transactionId
        let renewalId = try await store.event("renew", id).transactionId
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        func set(_ id: String, _ token: String = token) async throws -> Answer {
            let body = #"{"appAccountToken":"\#(token)"}"#
            return try await store.api(.put, "v1/transactions/\(id)/appAccountToken", body)
        }
        #expect(try await set(id, "x").errorCode == 4_000_183)
        #expect(try await set("123").errorCode == 4_040_010)
        #expect(try await set(renewalId).errorCode == 4_000_187)
        #expect(try await set(id).status == 200)
        let next = try await store.event("renew", id)
        #expect(next.text("transactions", "0", "appAccountToken") == token)
        let info = try await store.api(.get, "v1/transactions/\(renewalId)")
        #expect(try store.verified(info.text("signedTransactionInfo")).appAccountToken == token)
        let shared = try await store.event("share", id, #""account":"bob""#)
        #expect(try await set(shared.transactionId).errorCode == 4_000_185)
    }

    private func extend(
        _ id: String,
        days: Int = 1,
        reason: Int = 1,
        request: String = "r1"
    ) async throws -> Answer {
        let members = #""extendByDays":\#(days),"extendReasonCode":\#(reason)"#
        let body = #"{\#(members),"requestIdentifier":"\#(request)"}"#
        return try await store.api(.put, "v1/subscriptions/extend/\(id)", body)
    }

    @Test func `extends a renewal date, twice a year at most, and tells the app's server`() async throws {
        try await store.listen()
        let sold = try await store.subscribe()
        let id = sold.transactionId
        let expires = try store.verified(sold.text("transactions", "0", "signedTransaction")).expiresDate
        #expect(try await extend(id, days: 0).errorCode == 4_000_009)
        #expect(try await extend(id, days: 91).errorCode == 4_000_009)
        #expect(try await extend(id, reason: 4).errorCode == 4_000_010)
        #expect(try await extend(id, request: "").errorCode == 4_000_011)
        #expect(try await extend("x").errorCode == 4_000_008)
        #expect(try await extend("123").errorCode == 4_040_005)
        let once = try await extend(id, days: 10)
        #expect(once["success"] == .bool(true))
        #expect(once["effectiveDate"] == expires.map { .integer($0 + 10 * 86_400_000) })
        _ = await store.sender.deliverDue()
        // The sender carries all that is due at once, so they come in any order.
        let told = try store.post.payloads.map { try store.verified(notification: $0).type }
        #expect(told.contains("RENEWAL_EXTENDED"))
        #expect(try await extend(id).status == 200)
        #expect(try await extend(id).errorCode == 4_030_005)
        store.clock.advance(days: 366)
        #expect(try await extend(id).status == 200)
        let shared = try await store.event("share", id, #""account":"bob""#)
        #expect(try await extend(shared.transactionId).errorCode == 4_030_007)
        _ = try await store.event("expire", id)
        #expect(try await extend(id).errorCode == 4_030_004)
    }

    private static let delivered = #""customerConsented":true,"deliveryStatus":"DELIVERED""#
    private static let usual = #"\#(delivered),"sampleContentProvided":false"#

    private static let consumptions: [(product: String, members: String, code: Int64?)] = [
        ("Consumable", usual, nil), ("Consumable", delivered, 4_000_041),
        ("Consumable", usual.replacing("true", with: "false"), 4_000_035),
        ("Consumable", usual.replacing("DELIVERED", with: "LOST"), 4_000_036),
        ("Consumable", #"\#(usual),"refundPreference":1"#, 4_000_044),
        ("Consumable", #"\#(usual),"consumptionPercentage":100001"#, 4_000_000),
        ("Auto-Renewable Subscription", #"\#(usual),"consumptionPercentage":50000"#, 4_000_209),
    ]

    @Test(arguments: consumptions.indices)
    func `takes consumption information of the newer schema, of a subscription without a percentage`(
        index: Int
    ) async throws {
        let (product, members, code) = Self.consumptions[index]
        let id = try await store.buy("p", product).transactionId
        let answer = try await store.api(.put, "v2/transactions/consumption/\(id)", "{\(members)}")
        #expect(answer.errorCode == code)
        #expect(answer.status == (code == nil ? 202 : 400))
        let kept = try await store.send(.get, "/_control/consumption?transactionId=\(id)")
        #expect(kept.array("answers").count == (code == nil ? 1 : 0))
    }
}
