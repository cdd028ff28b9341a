import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// A subscription that was bought for several people, whose times are days.
@Suite struct `a subscription with seats` {
    private static func facts(
        _ id: String,
        _ begins: Int64,
        _ expires: Int64,
        product: String = "month",
        revoked: Int64? = nil,
        adds: Bool = false,
        ownership: String = "PURCHASED"
    ) -> TransactionFacts {
        var facts = `a subscription`.period(id, begins, expires, product: product, revoked: revoked)
        if adds { facts.additionalTransactionReason = "SEAT_ADDITION" }
        facts.inAppOwnershipType = ownership
        return facts
    }

    private static func chain(
        _ facts: [TransactionFacts],
        renewal: RenewalFacts? = nil,
        elsewhere: Int64? = nil
    ) -> SubscriptionChain {
        let periods = facts.map { facts in
            var period = SubscriptionPeriod(facts, Grant(buyerId: .ada))
            period.entitlements = ["vip"]
            return period
        }
        let successors = elsewhere.map { [SubscriptionUpdatedV1.Successor.elsewhere(since: .day($0))] }
        return SubscriptionChain(periods: periods, successors: successors ?? [], renewal: renewal)
    }

    /// Spans as transaction, first day and day after the last.
    private static func spans(_ chain: SubscriptionChain) -> [String] {
        chain.folded()?.spans.map { "\($0.transactionId) \($0.begins.day)-\($0.ends.day)" } ?? []
    }

    private static func state(
        _ chain: SubscriptionChain,
        on day: Int64
    ) -> SubscriptionsV1.Subscription.State? {
        chain.folded()?.state(at: .day(day))
    }

    @Test(arguments: [false, true])
    func `goes on when seats are added, whether its first transaction says so or not yet`(isTold: Bool) {
        let chain = Self.chain([Self.facts("1", 0, 30, adds: isTold), Self.facts("2", 10, 30, adds: true)])
        #expect(Self.spans(chain) == ["1 0-30"])
        for transaction in ["1", "2"] {
            let id = TransactionID(unchecked: transaction)
            #expect(chain.folded()?.endReason(of: id, at: .day(20)) == nil)
            #expect(chain.folded()?.endReason(of: id, at: .day(30)) == "expired")
        }
        #expect(chain.folded()?.spans.first?.entitlements == ["vip": Timestamp.day(0)])
    }

    @Test func `ends with another purchase that adds no seats`() {
        let chain = Self.chain([Self.facts("1", 0, 30, adds: true), Self.facts("2", 10, 40)])
        #expect(Self.spans(chain) == ["1 0-10", "2 10-40"])
    }

    @Test func `gives access until all transactions of the period are refunded`() {
        let left = Self.chain([
            Self.facts("1", 0, 30, revoked: 12, adds: true), Self.facts("2", 10, 30, adds: true),
        ])
        #expect(Self.spans(left) == ["1 0-12", "2 12-30"])
        #expect(left.folded()?.spans.last?.entitlements == ["vip": Timestamp.day(0)], "without a gap")
        #expect(Self.state(left, on: 20) == .active && Self.state(left, on: 30) == .expired)
        let added = Self.chain([
            Self.facts("1", 0, 30, adds: true), Self.facts("2", 10, 30, revoked: 12, adds: true),
        ])
        #expect(Self.spans(added) == ["1 0-30"])
        let none = Self.chain([
            Self.facts("1", 0, 30, revoked: 12, adds: true), Self.facts("2", 10, 30, revoked: 20, adds: true),
        ])
        #expect(Self.spans(none) == ["1 0-12", "2 12-20"])
        #expect(Self.state(none, on: 19) == .active && Self.state(none, on: 20) == .revoked)
    }

    @Test func `has additions to each period, which a renewal, an upgrade and a lapse begin`() {
        let renewed = [
            Self.facts("1", 0, 30, adds: true), Self.facts("2", 10, 30, adds: true),
            Self.facts("3", 30, 60, adds: true), Self.facts("4", 40, 60, adds: true),
        ]
        let better = [
            Self.facts("1", 0, 30, adds: true).with(\.isUpgraded, true),
            Self.facts("2", 10, 40, product: "year", adds: true),
            Self.facts("3", 20, 40, product: "year", adds: true),
        ]
        let lapsed = [
            Self.facts("1", 0, 30, revoked: 5, adds: true), Self.facts("2", 10, 40, adds: true),
            Self.facts("3", 20, 40, adds: true),
        ]
        var random = SeededRandom(seed: 3)
        for _ in 0..<20 {
            #expect(Self.spans(Self.chain(renewed.shuffled(using: &random))) == ["1 0-30", "3 30-60"])
            #expect(Self.spans(Self.chain(better.shuffled(using: &random))) == ["1 0-10", "2 10-40"])
            #expect(Self.spans(Self.chain(lapsed.shuffled(using: &random))) == ["1 0-5", "2 10-40"])
        }
    }

    @Test func `keeps its access however often seats were added and refunded`() {
        let additions = (0..<20).map { number in
            let day = Int64(number) + 1
            return Self.facts("\(100 + number)", day, 30, revoked: day + 1, adds: true)
        }
        #expect(Self.spans(Self.chain([Self.facts("1", 0, 30)] + additions)) == ["1 0-30"])
    }

    @Test func `has copies of members beside it, which end nothing and are ended by nothing`() {
        let copy = Self.facts("5", 5, 35, ownership: "ASSIGNED")
        let alone = Self.chain(
            [copy],
            renewal: RenewalFacts(signedDate: .day(35), gracePeriodExpiresDate: .day(50)),
            elsewhere: 12
        )
        #expect(Self.spans(alone) == ["5 5-35"])
        #expect(Self.state(alone, on: 36) == .expired)
        let own = [Self.facts("1", 0, 10), Self.facts("2", 10, 30)]
        #expect(Self.spans(Self.chain(own + [copy])) == ["1 0-10", "5 5-35", "2 10-30"])
        let revoked = Self.chain([Self.facts("5", 5, 35, revoked: 9, ownership: "ASSIGNED")])
        #expect(Self.spans(revoked) == ["5 5-9"] && Self.state(revoked, on: 9) == .revoked)
        let renewed = Self.chain([copy, Self.facts("6", 35, 65, ownership: "ASSIGNED")])
        #expect(Self.spans(renewed) == ["5 5-35", "6 35-65"])
        #expect(renewed.folded()?.spans.last?.entitlements == ["vip": Timestamp.day(5)])
    }

    @Test func `of a commitment of 12 months has no grace period`() {
        var facts = Self.facts("1", 0, 30)
        var renewal = RenewalFacts(signedDate: .day(30), gracePeriodExpiresDate: .day(46))
        renewal.isInBillingRetryPeriod = true
        #expect(Self.spans(Self.chain([facts], renewal: renewal)) == ["1 0-46"])
        facts.billingPlanType = "MONTHLY"
        let commitment = Self.chain([facts], renewal: renewal)
        #expect(Self.spans(commitment) == ["1 0-30"] && Self.state(commitment, on: 30) == .billingRetry)
    }
}

/// Ada's subscription, as she is answered.
@Suite struct `the seats of a subscription` {
    let harness = EntitlementsHarness()

    init() {
        harness.sell("club", [.castle, .coins(5)], type: .autoRenewable)
        harness.now = .day(20)
    }

    /// Five seats for 40 euros.
    private static func five(signed: Int64 = 1, revoked: Int? = nil) -> TransactionFacts {
        var facts = `a subscription`.period("1", 1, 31, product: "club", signed: signed)
        (facts.quantity, facts.price, facts.seatsPrice) = (5, 8_000, 40_000)
        (facts.currency, facts.revokedSeatQuantity) = ("EUR", revoked)
        return facts
    }

    private func subscription() throws -> SubscriptionsV1.Subscription {
        try #require(harness.subscriptions().first)
    }

    @Test func `are told with what was paid, and a refund of some of them changes nothing else`() throws {
        try harness.grant(Self.five())
        #expect(try subscription().seats == .init(quantity: 5, price: 40_000, currency: "EUR"))
        let refund = try harness.grant(Self.five(signed: 5, revoked: 2))
        #expect(refund.lines.isEmpty && refund.change?.verdict == .granted)
        let left = try subscription()
        #expect(left.seats == .init(quantity: 3, revoked: 2, price: 40_000, currency: "EUR"))
        #expect(left.state == .active)
        #expect(try harness.holdings().entitlements.map(\.entitlement) == ["castle"])
    }

    @Test func `are those of all transactions of the period`() throws {
        try harness.grant(Self.five(revoked: 1))
        var added = `a subscription`.period("2", 10, 31, product: "club")
        (added.quantity, added.seatsPrice, added.currency) = (2, 9_000, "EUR")
        added.additionalTransactionReason = "SEAT_ADDITION"
        #expect(try harness.grant(added).change?.verdict == .granted)
        let all = try subscription()
        #expect(all.seats == .init(quantity: 6, revoked: 1, price: 49_000, currency: "EUR"))
        #expect(all.transactionId.rawValue == "1")
        added.signedDate = added.signedDate.advanced(by: 5)
        added.revocationDate = added.purchaseDate
        try harness.grant(added)
        #expect(try subscription().seats?.quantity == 4 && subscription().state == .active)
    }

    @Test func `are in the ledger's grant with what was paid for all of them`() throws {
        try harness.grant(Self.five())
        for entry in try harness.entries() {
            #expect(entry.seats == 5 && entry.seatsPrice == 40_000 && entry.price == 8_000)
        }
        var one = `a subscription`.period("2", 1, 31)
        (one.originalTransactionId, one.price) = (TransactionID(unchecked: "2"), 990)
        let entry = try #require(harness.grant(one).change?.entries.first)
        #expect(entry.seats == nil && entry.seatsPrice == nil && entry.price == 990)
    }

    @Test(arguments: ["FAMILY_SHARED", "ASSIGNED"])
    func `that somebody else paid for give access, and never amounts or a price`(ownership: String) throws {
        let report = try harness.grant(Self.five().with(\.inAppOwnershipType, ownership))
        #expect(report.lines == ["grant castle 1"] && report.change?.verdict == .granted)
        let entry = try #require(harness.entries().first)
        #expect(entry.price == nil && entry.seats == nil && entry.seatsPrice == nil && entry.currency == nil)
        #expect(try subscription().seats == nil && subscription().ownership == ownership)
        #expect(try harness.holdings().balances.isEmpty)
    }

    @Test func `are told with what Apple says of the next renewal`() throws {
        try harness.grant(Self.five())
        var renewal = RenewalFacts(signedDate: Timestamp(milliseconds: 9), autoRenewStatus: 0)
        (renewal.expirationIntent, renewal.priceIncreaseStatus) = (3, 0)
        (renewal.renewalPrice, renewal.currency) = (9_000, "EUR")
        try harness.update(renewal: renewal)
        let told = try subscription()
        #expect(told.autoRenew == false && told.expirationIntent == 3 && told.priceIncreaseStatus == 0)
        #expect(told.renewalPrice == 9_000 && told.currency == "EUR")
    }
}
