import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// Access by a chain of periods, whose times are days.
@Suite struct `the chain of a subscription` {
    typealias State = SubscriptionsV1.Subscription.State

    private static func period(
        _ id: String,
        _ begins: Int64,
        _ expires: Int64,
        product: String = "basic",
        gives: [String] = ["vip"],
        revoked: Int64? = nil,
        upgraded: Bool = false
    ) -> SubscriptionPeriod {
        var facts = TransactionFacts.facts(id, product: product, type: ProductType.autoRenewable)
        facts.purchaseDate = .day(begins)
        facts.expiresDate = .day(expires)
        facts.revocationDate = revoked.map(Timestamp.day)
        facts.isUpgraded = upgraded
        var period = SubscriptionPeriod(facts, Grant(buyerId: .ada))
        period.entitlements = gives
        return period
    }

    private static func renewal(
        _ signed: Int64,
        grace: Int64? = nil,
        retries: Bool = false,
        next: String? = nil,
        renews: Bool? = nil
    ) -> RenewalFacts {
        RenewalFacts(
            signedDate: .day(signed),
            autoRenewStatus: renews.map { $0 ? 1 : 0 },
            autoRenewProductId: next.map(ProductID.init(unchecked:)),
            isInBillingRetryPeriod: retries,
            gracePeriodExpiresDate: grace.map(Timestamp.day)
        )
    }

    /// Spans as product, first day and day after the last; then `accessUntil`.
    private static func access(_ chain: SubscriptionChain) -> [String] {
        guard let access = chain.folded() else { return [] }
        return access.spans.map { "\($0.productId) \($0.begins.day)-\($0.ends.day)" }
            + [access.accessUntil.map { "\($0.day)" } ?? "never"]
    }

    private static func states(_ chain: SubscriptionChain, on days: [Int64]) -> [State] {
        days.compactMap { chain.folded()?.state(at: .day($0)) }
    }

    private static func chain(
        _ periods: SubscriptionPeriod...,
        renewal: RenewalFacts? = nil,
        elsewhere: Int64? = nil
    ) -> SubscriptionChain {
        let successors = elsewhere.map { [SubscriptionUpdatedV1.Successor.elsewhere(since: .day($0))] }
        return SubscriptionChain(periods: periods, successors: successors ?? [], renewal: renewal)
    }

    @Test func `gives access from the purchase to the expiry`() {
        let chain = Self.chain(Self.period("1", 0, 30))
        #expect(Self.access(chain) == ["basic 0-30", "30"])
        #expect(Self.states(chain, on: [0, 29, 30]) == [.active, .active, .expired])
        #expect(Self.access(Self.chain()) == [])
    }

    @Test func `goes on with a renewal that was signed before its period, which begins then`() {
        let chain = Self.chain(Self.period("1", 0, 30), Self.period("2", 30, 60))
        #expect(Self.access(chain) == ["basic 0-30", "basic 30-60", "60"])
        #expect(chain.folded()?.spans.last?.entitlements == ["vip": Timestamp.day(0)], "without a gap")
        let subscription = chain.folded()?
            .subscription(TransactionID(unchecked: "1"), .production, at: .day(29))
        #expect(subscription?.transactionId.rawValue == "1" && subscription?.expires == Timestamp.day(30))
    }

    @Test func `ends the older period at once with an upgrade, also when that shortens access`() {
        let chain = Self.chain(
            Self.period("1", 0, 365, upgraded: true),
            Self.period("2", 10, 40, product: "premium")
        )
        #expect(Self.access(chain) == ["basic 0-10", "premium 10-40", "40"])
    }

    @Test func `does not revive an upgraded period when the upgrade is refunded`() {
        let chain = Self.chain(
            Self.period("1", 0, 365, upgraded: true),
            Self.period("2", 10, 40, product: "premium", revoked: 12)
        )
        #expect(Self.access(chain) == ["basic 0-10", "premium 10-12", "12"])
        #expect(Self.states(chain, on: [11, 12, 100]) == [.active, .revoked, .revoked])
    }

    @Test func `gives nothing by an upgraded period whose successor is not known`() {
        #expect(Self.access(Self.chain(Self.period("1", 0, 365, upgraded: true))) == ["never"])
    }

    @Test func `ends with a refund of any percentage, and of an old period for that period only`() {
        let refunded = Self.period("1", 0, 30, revoked: 7)
        #expect(Self.access(Self.chain(refunded)) == ["basic 0-7", "7"])
        let chain = Self.chain(refunded, Self.period("2", 30, 60))
        #expect(Self.access(chain) == ["basic 0-7", "basic 30-60", "60"])
        #expect(Self.states(chain, on: [6, 8, 30, 60]) == [.active, .expired, .active, .expired])
    }

    @Test func `has a grace period after its last period only`() {
        let first = Self.period("1", 0, 30)
        let grace = Self.chain(first, renewal: Self.renewal(30, grace: 46, retries: true))
        #expect(Self.access(grace) == ["basic 0-46", "46"])
        #expect(Self.states(grace, on: [29, 30, 45, 46]) == [.active, .grace, .grace, .billingRetry])
        let recovered = Self.chain(
            first,
            Self.period("2", 40, 70),
            renewal: Self.renewal(30, grace: 46, retries: true)
        )
        #expect(Self.access(recovered) == ["basic 0-30", "basic 40-70", "70"])
        #expect(Self.states(recovered, on: [35, 70]) == [.expired, .expired])
    }

    @Test func `has no grace period that was signed before its last period began`() {
        let shorter = Self.period("2", 35, 42, product: "weekly")
        let chain = Self.chain(
            Self.period("1", 0, 30),
            shorter,
            renewal: Self.renewal(30, grace: 46, retries: true)
        )
        #expect(Self.access(chain) == ["basic 0-30", "weekly 35-42", "42"])
        #expect(Self.states(chain, on: [41, 42]) == [.active, .expired])
        let failed = Self.chain(shorter, renewal: Self.renewal(42, grace: 58, retries: true))
        #expect(Self.states(failed, on: [57, 58]) == [.grace, .billingRetry])
    }

    @Test func `is in billing retry without grace, and recovers`() {
        let retry = Self.chain(Self.period("1", 0, 30), renewal: Self.renewal(30, retries: true))
        #expect(Self.states(retry, on: [29, 30, 99]) == [.active, .billingRetry, .billingRetry])
        let recovered = Self.chain(
            Self.period("1", 0, 30),
            Self.period("2", 50, 80),
            renewal: Self.renewal(50)
        )
        #expect(Self.states(recovered, on: [49, 50, 80]) == [.expired, .active, .expired])
    }

    @Test func `goes on after a lapse with a resubscription`() {
        let chain = Self.chain(Self.period("1", 0, 30), Self.period("2", 90, 120, product: "premium"))
        #expect(Self.access(chain) == ["basic 0-30", "premium 90-120", "120"])
        #expect(chain.folded()?.spans.last?.entitlements == ["vip": Timestamp.day(90)])
    }

    @Test func `is downgraded later, or no more, without a change of its access`() {
        var chain = Self.chain(Self.period("1", 0, 30, product: "premium"))
        let access = Self.access(chain)
        for (signed, next) in [(5, "basic"), (6, "premium"), (7, "basic")] as [(Int64, String)] {
            chain.note(Self.renewal(signed, next: next))
            #expect(chain.folded()?.renewal?.autoRenewProductId?.rawValue == next)
            #expect(Self.access(chain) == access && Self.states(chain, on: [8]) == [.active])
        }
        chain.note(Self.renewal(6, next: "premium"))
        let newest = chain.folded()?.renewal?.autoRenewProductId?.rawValue
        #expect(newest == "basic", "the newest signature holds")
        chain.periods.append(Self.period("2", 30, 60))
        #expect(Self.access(chain) == ["premium 0-30", "basic 30-60", "60"])
    }

    @Test func `has the other product's entitlements from a crossgrade on, now or with the next period`() {
        let now = Self.chain(
            Self.period("1", 0, 30),
            Self.period("2", 10, 40, product: "other", gives: ["gold"])
        )
        #expect(Self.access(now) == ["basic 0-10", "other 10-40", "40"])
        #expect(now.folded()?.spans.last?.entitlements == ["gold": Timestamp.day(10)])
        let later = Self.chain(Self.period("1", 0, 30), Self.period("2", 30, 395, product: "other"))
        #expect(Self.access(later) == ["basic 0-30", "other 30-395", "395"])
    }

    @Test func `goes on through a price increase that is asked for, and ends where nobody consents`() {
        var chain = Self.chain(Self.period("1", 0, 30), renewal: Self.renewal(1, renews: true))
        chain.note(Self.renewal(10, renews: true))
        #expect(Self.access(chain) == ["basic 0-30", "30"] && chain.folded()?.renewal?.autoRenewStatus == 1)
        chain.note(Self.renewal(30, renews: false))
        #expect(Self.states(chain, on: [29, 30]) == [.active, .expired])
        #expect(chain.folded()?.renewal?.autoRenewStatus == 0)
    }

    @Test func `that is shared no more is revoked, whatever Apple says of its renewal`() {
        let chain = Self.chain(
            Self.period("1", 0, 30, revoked: 12),
            renewal: Self.renewal(12, grace: 46, retries: true)
        )
        #expect(Self.access(chain) == ["basic 0-12", "12"])
        #expect(Self.states(chain, on: [11, 12, 40]) == [.active, .revoked, .revoked])
    }

    @Test func `lasts longer with an extension, which is a newer statement of its period`() {
        #expect(Self.access(Self.chain(Self.period("1", 0, 44))) == ["basic 0-44", "44"])
    }

    @Test func `ends for a buyer when it goes on with another, even without access there`() {
        let chain = Self.chain(Self.period("1", 0, 30), elsewhere: 12)
        #expect(Self.access(chain) == ["basic 0-12", "12"])
        #expect(Self.states(chain, on: [11, 12]) == [.active, .expired])
    }

    @Test func `drops empty times, and keeps the newest`() {
        let same = Self.chain(Self.period("1", 0, 30), Self.period("2", 0, 60))
        #expect(Self.access(same) == ["basic 0-60", "60"])
        var years = SubscriptionChain()
        for number in 0..<100 {
            years.periods.append(
                Self.period("\(1_000 + number)", Int64(number) * 30, Int64(number) * 30 + 30)
            )
        }
        #expect(Self.access(years).count == SubscriptionAccess.keptSpans + 1)
        #expect(Self.access(years).last == "3000")
        #expect(years.folded()?.spans.last?.entitlements == ["vip": Timestamp.day(0)])
    }

    @Test func `comes to the same in whatever order its facts come, and however often`() {
        let facts = [
            Self.period("1", 0, 30, revoked: 20), Self.period("2", 30, 60, upgraded: true),
            Self.period("3", 40, 70, product: "premium"), Self.period("4", 70, 100, product: "premium"),
        ]
        let expected = ["basic 0-20", "basic 30-40", "premium 40-70", "premium 70-116", "116"]
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var chain = SubscriptionChain()
            for renewal in [Self.renewal(100, grace: 116), Self.renewal(90)].shuffled(using: &random) {
                chain.note(renewal)
                chain.note(renewal)
            }
            chain.periods = facts.shuffled(using: &random)
            #expect(Self.access(chain) == expected)
        }
    }
}

extension SubscriptionUpdatedV1.Successor {
    /// A period with which a subscription goes on with another buyer.
    static func elsewhere(since date: Timestamp) -> Self {
        .init(purchaseId: PurchaseID(unchecked: "x"), purchaseDate: date)
    }
}
