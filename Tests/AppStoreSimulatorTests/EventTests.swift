import AppStore
import Contracts
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `What happens to a purchase in the simulated store` {
    private let store: TestStore

    init() async throws {
        store = try await TestStore()
        try await store.listen()
    }

    /// The notification of an answer, about the app.
    private func told(_ answer: Answer) throws -> VerifiedServerNotification {
        let notification = try store.told(answer)
        #expect(notification.bundleId == TestStore.bundle)
        #expect(notification.appAppleId == AppDirectory.standardAppAppleId)
        #expect(notification.environment == .production)
        return notification
    }

    /// What led to the status from which an event starts.
    private static let ways: [Subscription.Status: [String]] = [
        .active: [], .gracePeriod: [#"failToRenew,"gracePeriodDays":16"#], .billingRetry: ["failToRenew"],
        .expired: ["expire"], .revoked: ["refund"],
    ]

    private func event(_ text: String, _ id: String) async throws -> Answer {
        let parts = text.split(separator: ",", maxSplits: 1).map(String.init)
        return try await store.event(parts[0], id, parts.count > 1 ? parts[1] : "")
    }

    private typealias Story = (
        from: Subscription.Status, event: String, type: String, subtype: String?, status: Int
    )

    private static let offer = #""productId":"other","offer":{"type":2}"#

    private static let stories: [Story] = [
        (.active, "renew", "DID_RENEW", nil, 1),
        (.active, "failToRenew", "DID_FAIL_TO_RENEW", nil, 3),
        (.active, #"failToRenew,"gracePeriodDays":16"#, "DID_FAIL_TO_RENEW", "GRACE_PERIOD", 4),
        (.gracePeriod, "endGracePeriod", "GRACE_PERIOD_EXPIRED", nil, 3),
        (.gracePeriod, "recover", "DID_RENEW", "BILLING_RECOVERY", 1),
        (.billingRetry, "recover", "DID_RENEW", "BILLING_RECOVERY", 1),
        (.active, "expire", "EXPIRED", "VOLUNTARY", 2),
        (.billingRetry, #"expire,"expirationIntent":2"#, "EXPIRED", "BILLING_RETRY", 2),
        (.active, #"expire,"expirationIntent":3"#, "EXPIRED", "PRICE_INCREASE", 2),
        (.active, #"expire,"expirationIntent":4"#, "EXPIRED", "PRODUCT_NOT_FOR_SALE", 2),
        (.expired, "resubscribe", "SUBSCRIBED", "RESUBSCRIBE", 1),
        (.revoked, "resubscribe", "SUBSCRIBED", "RESUBSCRIBE", 1),
        (.active, "disableAutoRenew", "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", 1),
        (.gracePeriod, "enableAutoRenew", "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", 4),
        (.active, #"upgrade,"productId":"gold.yearly""#, "DID_CHANGE_RENEWAL_PREF", "UPGRADE", 1),
        (.active, #"downgrade,"productId":"silver""#, "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", 1),
        (.active, "cancelDowngrade", "DID_CHANGE_RENEWAL_PREF", nil, 1),
        (.active, #"redeemOffer,"offer":{"type":3,"identifier":"XMAS"}"#, "OFFER_REDEEMED", nil, 1),
        (.active, #"redeemOffer,"subtype":"UPGRADE",\#(offer)"#, "OFFER_REDEEMED", "UPGRADE", 1),
        (.active, #"redeemOffer,"subtype":"DOWNGRADE",\#(offer)"#, "OFFER_REDEEMED", "DOWNGRADE", 1),
        (.active, #"raisePrice,"price":1990"#, "PRICE_INCREASE", "PENDING", 1),
        (.active, "refund", "REFUND", nil, 5),
        (.revoked, "reverseRefund", "REFUND_REVERSED", nil, 1),
        (.active, "declineRefund", "REFUND_DECLINED", nil, 1),
        (.active, "requestConsumption", "CONSUMPTION_REQUEST", nil, 1),
    ]

    @Test(arguments: stories.indices)
    func `is told to the app's server, signed in every part`(index: Int) async throws {
        let story = Self.stories[index]
        let id = try await store.subscribe().transactionId
        for step in Self.ways[story.from, default: []] {
            #expect(try await event(step, id).status == 200)
        }
        store.clock.advance(hours: 1)
        let answer = try await event(story.event, id)
        #expect(answer.status == 200, "\(answer.text)")
        let notification = try told(answer)
        #expect((notification.type, notification.subtype) == (story.type, story.subtype))
        #expect(notification.payload.data?.status == story.status)
        #expect(notification.transaction?.originalTransactionId == id)
        #expect(notification.renewalInfo?.originalTransactionId == id)
        #expect(try await store.subscriptionStatus(id) == .integer(Int64(story.status)))
        #expect(await store.sender.deliverDue() > 1)
    }

    /// The events of a subscription by their name, and the statuses in which each can happen.
    private static let table: [(event: String, from: Set<Subscription.Status>)] = [
        ("renew", [.active]), ("failToRenew", [.active]), ("endGracePeriod", [.gracePeriod]),
        ("recover", [.gracePeriod, .billingRetry]), ("expire", [.active, .gracePeriod, .billingRetry]),
        ("resubscribe", [.expired, .revoked]), ("enableAutoRenew", [.active, .gracePeriod, .billingRetry]),
        ("disableAutoRenew", [.active, .gracePeriod, .billingRetry]),
        (#"upgrade,"productId":"p""#, [.active]), (#"downgrade,"productId":"p""#, [.active]),
        ("cancelDowngrade", [.active]), (#"redeemOffer,"offer":{"type":2}"#, [.active]),
        (#"raisePrice,"price":1"#, [.active]), ("acceptPrice", []),
    ]

    @Test(arguments: table.indices, Subscription.Status.allCases)
    func `is refused where it cannot be, and leaves no trace`(
        index: Int,
        status: Subscription.Status
    ) async throws {
        let id = try await store.subscribe().transactionId
        for step in Self.ways[status, default: []] { _ = try await event(step, id) }
        let before = try await store.api(.get, "v2/history/\(id)").text("revision")
        let answered = try await event(Self.table[index].event, id).status
        let isPossible = Self.table[index].from.contains(status)
        #expect(answered == (isPossible ? 200 : 409))
        guard !isPossible else { return }
        #expect(try await store.api(.get, "v2/history/\(id)").text("revision") == before)
        #expect(try await store.subscriptionStatus(id) == .integer(Int64(status.rawValue)))
    }

    @Test func `renews from the end of the period before, at the renewal's price`() async throws {
        let start = TestStore.start - 31 * 86_400_000
        let sold = try await store.subscribe(#""purchaseDate":\#(start),"period":"P1M","price":4990"#)
        let id = sold.transactionId
        _ = try await store.event("raisePrice", id, #""price":5990"#)
        #expect(try await told(store.event("acceptPrice", id)).subtype == "ACCEPTED")
        let renewed = try await told(store.event("renew", id)).transaction
        // From 1 October to 1 November, then to 1 December.
        #expect(renewed?.purchaseDate == TestStore.start)
        #expect(renewed?.expiresDate == TestStore.start + 30 * 86_400_000)
        #expect(renewed?.price == 5_990)
        #expect(renewed?.transactionReason == "RENEWAL")
        #expect(renewed?.transactionId != id)
    }

    @Test func `is an upgrade at once, a downgrade with the next renewal`() async throws {
        let id = try await store.subscribe().transactionId
        store.clock.advance(days: 3)
        let better = #""productId":"gold.yearly","price":49990,"period":"P1Y""#
        let upgrade = try await store.event("upgrade", id, better)
        #expect(upgrade["transactions", "0", "isUpgraded"] == .bool(true))
        #expect(upgrade.transactionId == id)
        let next = try told(upgrade).transaction
        #expect(next?.productId == "gold.yearly")
        #expect(next?.purchaseDate == store.clock.now.milliseconds)
        #expect(next?.price == 49_990)
        let lesser = try await store.event("downgrade", id, #""productId":"silver""#)
        let notification = try told(lesser)
        #expect(notification.transaction?.productId == "gold.yearly")
        #expect(notification.renewalInfo?.autoRenewProductId == "silver")
        let renewal = try await told(store.event("renew", id)).transaction
        #expect(renewal?.productId == "silver")
    }

    @Test func `keeps its days when a payment recovers within grace, and starts anew later`() async throws {
        let sold = try await store.subscribe()
        let id = sold.transactionId
        store.clock.advance(days: 35)
        _ = try await store.event("failToRenew", id, #""gracePeriodDays":16"#)
        let inGrace = try await store.event("recover", id)
        #expect(inGrace["transactions", "0", "purchaseDate"] == sold["transactions", "0", "expiresDate"])
        store.clock.advance(days: 40)
        _ = try await store.event("failToRenew", id)
        let late = try await store.event("recover", id)
        let now = store.clock.now.milliseconds
        #expect(late["transactions", "0", "purchaseDate"] == .integer(now))
    }

    @Test(arguments: [
        (1, "FREE_TRIAL", 0 as Int64), (2, "PAY_AS_YOU_GO", 990), (3, "PAY_UP_FRONT", 990),
        (4, "FREE_TRIAL", 0),
    ])
    func `begins with an offer of each kind`(type: Int, discount: String, price: Int64) async throws {
        let offer = #"{"type":\#(type),"identifier":"o1","discountType":"\#(discount)","period":"P1W"}"#
        let notification = try await told(store.subscribe(#""offer":\#(offer)"#))
        #expect((notification.type, notification.subtype) == ("SUBSCRIBED", "INITIAL_BUY"))
        let transaction = notification.transaction
        #expect(transaction?.offerType == type)
        #expect(transaction?.offerDiscountType == discount)
        #expect(transaction?.offerPeriod == "P1W")
        #expect(transaction?.price == price)
        #expect(notification.renewalInfo?.offerIdentifier == "o1")
    }

    @Test func `is a refund, in full or in part, and its reversal`() async throws {
        let id = try await store.buy().transactionId
        #expect(try await store.event("reverseRefund", id).status == 409)
        let part = try await told(store.event("refund", id, #""percentage":40000,"reason":1"#))
        #expect(part.type == "REFUND")
        #expect(part.transaction?.revocationType == "REFUND_PRORATED")
        #expect(part.transaction?.revocationPercentage == 40_000)
        #expect(part.renewalInfo == nil)
        let whole = try await told(store.event("refund", id))
        #expect(whole.transaction?.revocationType == "REFUND_FULL")
        let back = try await told(store.event("reverseRefund", id))
        #expect(back.type == "REFUND_REVERSED")
        #expect(back.transaction?.revocationDate == nil)
        let dates = [part, whole, back].compactMap { $0.transaction?.signedDate }
        #expect(dates == dates.sorted())
        #expect(Set(dates).count == 3)
    }

    @Test func `is a consumption request with Apple's reason`() async throws {
        let id = try await store.buy().transactionId
        let reason = #""consumptionRequestReason":"LEGAL""#
        let asked = try await told(store.event("requestConsumption", id, reason))
        #expect(asked.type == "CONSUMPTION_REQUEST")
        #expect(asked.payload.data?.consumptionRequestReason == "LEGAL")
    }

    @Test func `is shared with the family, and lost with the purchase`() async throws {
        let id = try await store.buy("pro", "Non-Consumable").transactionId
        let shared = try await told(store.event("share", id, #""account":"bob""#))
        #expect(shared.type == "ONE_TIME_CHARGE")
        let copy = try #require(shared.transaction)
        #expect(copy.inAppOwnershipType == "FAMILY_SHARED")
        #expect(copy.transactionId != id)
        #expect(try await store.event("revoke", id).status == 409)
        let refund = try await store.event("refund", id)
        #expect(refund.text("notifications", "0", "notificationType") == "REFUND")
        #expect(refund.text("notifications", "1", "notificationType") == "REVOKE")
        #expect(refund.text("notifications", "1", "transactionId") == copy.transactionId)
        let coins = try await store.buy().transactionId
        #expect(try await store.event("share", coins, #""account":"bob""#).status == 409)
    }

    @Test func `is no longer shared, for that member only`() async throws {
        let id = try await store.subscribe().transactionId
        let shared = try await told(store.event("share", id, #""account":"bob""#))
        #expect(shared.type == "SUBSCRIBED")
        let copy = try #require(shared.transaction?.transactionId)
        let revoked = try await told(store.event("revoke", copy))
        #expect(revoked.type == "REVOKE")
        #expect(revoked.transaction?.revocationType == "FAMILY_REVOKE")
        #expect(revoked.payload.data?.status == 5)
        #expect(try await store.subscriptionStatus(id) == .integer(1))
    }

    @Test func `is consent that a parent withdraws`() async throws {
        let sold = try await store.buy()
        let id = sold.transactionId
        let notification = try await told(store.event("rescindConsent", id))
        #expect(notification.type == "RESCIND_CONSENT")
        let account = sold.text("transactions", "0", "appTransactionId")
        #expect(notification.appTransaction?.appTransactionId == account)
    }

    /// Types that nothing in the store leads to, with the part of the notification that belongs to each.
    private static let others: [(type: String, subtype: String?, part: String?)] = [
        ("PRICE_CHANGE", nil, nil), ("METADATA_UPDATE", nil, nil), ("MIGRATION", nil, nil),
        ("RENEWAL_EXTENSION", "SUMMARY", #""summary":{"environment":"Production",\#(app)}"#),
        ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", externalPurchase),
        ("EXTERNAL_PURCHASE_TOKEN", "CREATED", externalPurchase),
        ("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", externalPurchase),
        ("A_TYPE_OF_TOMORROW", "SOMEHOW", nil),
    ]
    private static let app = #""bundleId":"com.example.game","appAppleId":1234567890"#
    private static let externalPurchase = #""externalPurchaseToken":{"externalPurchaseId":"1",\#(app)}"#

    @Test(arguments: others.indices)
    func `is any other notification that a test wants sent`(index: Int) async throws {
        let (type, subtype, part) = Self.others[index]
        let members = [
            #""event":"notification","bundleId":"com.example.game","notificationType":"\#(type)""#,
            subtype.map { #""subtype":"\#($0)""# }, part,
        ]
        let body = "{\(members.compactMap(\.self).joined(separator: ","))}"
        let notification = try await told(store.control("events", body))
        #expect((notification.type, notification.subtype) == (type, subtype))
    }

    @Test func `one that nobody knows is answered with those that are known, and so is an unknown fault`()
        async throws
    {
        let answer = try await store.event("explode", "123")
        #expect(answer.status == 400)
        let known = EventRequest.Name.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(answer.text("detail") == #"event "explode" is not known; it is one of \#(known)"#)
        let fault = try await store.control("faults", #"{"path":"/","kind":"fire"}"#)
        #expect(fault.text("detail").hasPrefix(#"kind "fire" is not known; it is one of delay, status, "#))
        let body = try await store.control("events", "{\n\"event\": }").text("detail")
        #expect(body.hasPrefix("the body is not JSON: line 2, column 10: "), "\(body)")
    }

    @Test func `cannot happen to what was not sold here`() async throws {
        #expect(try await store.event("refund", "123").status == 404)
        #expect(try await store.event("renew", "123").status == 404)
        let id = try await store.buy().transactionId
        #expect(try await store.event("renew", id).status == 409)
        #expect(try await store.event("upgrade", id).status == 400)
    }
}
