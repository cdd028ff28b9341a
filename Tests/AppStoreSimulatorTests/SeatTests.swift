import AppStore
import Contracts
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `Seats in the simulated store` {
    private static let five =
        #""seats":{"priceTiers":[{"price":10000,"quantity":3},{"price":5000,"quantity":2}]}"#
    private static let two = #""seats":{"priceTiers":[{"price":5000,"quantity":2}]}"#

    private let store: TestStore

    init() async throws {
        store = try await TestStore()
        try await store.listen()
    }

    @Test func `have a quantity, price tiers, and their average as price`() async throws {
        let transaction = try await store.told(store.subscribe(Self.five)).transaction
        #expect(transaction?.quantity == 5 && transaction?.price == 8_000)
        let tiers = [(10_000, 3), (5_000, 2)].map { price, quantity in
            JSONValue.object(["price": .integer(Int64(price)), "quantity": .integer(Int64(quantity))])
        }
        let info: [String: JSONValue] = [
            "invitationManagement": .string("APPLE"), "priceTiers": .array(tiers),
        ]
        #expect(transaction?.multiSeatInfo == .object(info))
        for wrong in [
            #""seats":{"priceTiers":[]}"#, #""seats":{"priceTiers":[{"price":1,"quantity":0}]}"#,
            #""seats":{"invitationManagement":"ME","priceTiers":[{"price":1,"quantity":1}]}"#,
        ] {
            #expect(try await store.subscribe(wrong).status == 400)
        }
    }

    @Test func `are added by another transaction, which replaces nothing and all of the period state`()
        async throws
    {
        let id = try await store.subscribe(Self.five).transactionId
        store.clock.advance(days: 3)
        let added = try await store.event("addSeats", id, Self.two)
        for index in ["0", "1"] {
            let reason = added["transactions", index, "additionalTransactionReason"]
            #expect(reason == .string("SEAT_ADDITION"))
            #expect(added["transactions", index, "isUpgraded"] == nil)
        }
        #expect(added.transactionId == id)
        let notification = try store.told(added)
        #expect(notification.subtype == "INCREASE_QUANTITY")
        let addition = notification.transaction
        #expect(addition?.quantity == 2 && addition?.originalTransactionId == id)
        #expect(addition?.purchaseDate == store.clock.now.milliseconds)
        let renewed = try await store.told(store.event("renew", id)).transaction
        #expect(renewed?.additionalTransactionReason == nil && renewed?.quantity == 5)
        let single = try await store.subscribe().transactionId
        #expect(try await store.event("addSeats", single, Self.two).status == 409)
        #expect(try await store.event("addSeats", id).status == 400)
    }

    @Test func `are refunded one by one, and the transaction with the last of them`() async throws {
        let id = try await store.subscribe(Self.five).transactionId
        let some = try await store.told(store.event("refundSeats", id, #""quantity":2"#))
        #expect((some.type, some.subtype) == ("REFUND", "SEATS"))
        #expect(some.transaction?.revocationDate == nil && some.transaction?.revokedSeats == 2)
        #expect(some.payload.data?.status == 1)
        #expect(try await store.event("refundSeats", id, #""quantity":4"#).status == 409)
        #expect(try await store.event("refundSeats", id).status == 400)
        let rest = try await store.told(store.event("refundSeats", id, #""quantity":3"#))
        #expect(rest.transaction?.revocationDate != nil && rest.transaction?.revokedSeats == 5)
        #expect(rest.subtype == "SEATS" && rest.payload.data?.status == 5)
    }

    @Test func `are assigned to a member, whose copy nobody may ask about, and taken away`() async throws {
        let id = try await store.subscribe(Self.five).transactionId
        let assigned = try await store.told(store.event("assign", id, #""account":"bob""#))
        let copy = try #require(assigned.transaction)
        #expect(copy.inAppOwnershipType == "ASSIGNED" && copy.quantity == 5 && copy.transactionId != id)
        let consumption = "v2/transactions/consumption/\(copy.transactionId)"
        #expect(try await store.api(.put, consumption, "{}").errorCode == 4_000_227)
        let token = #"{"appAccountToken":"7e3fb204-2d5f-4d4a-8d1e-4a4bfa4e9c11"}"#
        let setting = "v1/transactions/\(copy.transactionId)/appAccountToken"
        #expect(try await store.api(.put, setting, token).errorCode == 4_000_227)
        let revoked = try await store.told(store.event("revoke", copy.transactionId))
        #expect(revoked.type == "REVOKE" && revoked.transaction?.revocationType == "ASSIGNMENT_REVOKE")
        #expect(try await store.subscriptionStatus(id) == .integer(1))
        let single = try await store.subscribe().transactionId
        #expect(try await store.event("assign", single, #""account":"bob""#).status == 409)
    }
}

@Suite struct `A commitment of 12 months in the simulated store` {
    private static let monthly = #""billingPlanType":"MONTHLY""#

    private let store: TestStore

    init() async throws {
        store = try await TestStore()
        try await store.listen()
    }

    @Test func `goes on after it was cancelled, until its last period`() async throws {
        let begun = try await store.told(store.subscribe(Self.monthly))
        let first = try #require(begun.transaction)
        #expect(first.billingPlanType == "MONTHLY" && first.billingPeriodNumber == 1)
        let id = first.transactionId
        let cancelled = try await store.told(store.event("disableAutoRenew", id))
        #expect(cancelled.subtype == "AUTO_RENEW_DISABLED")
        #expect(cancelled.renewalInfo?.autoRenewStatus == 1)
        guard case .object(let info)? = cancelled.renewalInfo?.commitmentInfo else {
            Issue.record("the renewal says nothing of the commitment")
            return
        }
        #expect(info["commitmentAutoRenewStatus"] == .integer(0))
        for number in 2...Commitment.periods {
            let period = try await store.told(store.event("renew", id)).transaction
            #expect(period?.billingPeriodNumber == number)
        }
        #expect(try await store.event("renew", id).status == 409)
    }

    @Test func `has no grace period, and no other plan`() async throws {
        let id = try await store.subscribe(Self.monthly).transactionId
        #expect(try await store.event("failToRenew", id, #""gracePeriodDays":16"#).status == 409)
        #expect(try await store.told(store.event("failToRenew", id)).payload.data?.status == 3)
        #expect(try await store.subscribe(#""billingPlanType":"WEEKLY""#).status == 400)
    }
}
