import Contracts
import TestKit

/// Periods of one chain, whose times are days from now.
struct ChainOfPeriods {
    static let day: Int64 = 86_400_000

    let now: Int64
    private let chain = String(SignedTransaction.bought().transactionId.dropLast(2)) + "01"

    init(now: Int64 = Timestamp.now().milliseconds) { self.now = now }

    /// A period by its number, which is signed some seconds after the beginning of all.
    func period(
        _ number: Int,
        _ begins: Int64,
        _ expires: Int64,
        _ product: String = "vip.month",
        signed: Int64 = 0,
        reason: String = "RENEWAL",
        _ change: (inout SignedTransaction) -> Void = { _ in }
    ) -> SignedTransaction {
        var period = SignedTransaction.bought(product, type: "Auto-Renewable Subscription")
        period.originalTransactionId = chain
        period.transactionId = number == 1 ? chain : String(chain.dropLast(2)) + String(10 + number)
        period.webOrderLineItemId = "\(7_000 + number)"
        period.purchaseDate = now + begins * Self.day
        period.expiresDate = now + expires * Self.day
        period.signedDate = now - 3_600_000 + signed * 1_000
        period.transactionReason = number == 1 ? "PURCHASE" : reason
        period.subscriptionGroupIdentifier = "21345678"
        change(&period)
        return period
    }
}

/// A life of one subscription: its first period, handed in by a phone, what Apple tells, and what a server then reads.
struct SubscriptionLife: Sendable {
    typealias State = SubscriptionsV1.Subscription.State
    typealias Subscription = SubscriptionsV1.Subscription

    let name: String
    var first: SignedTransaction
    var events: [SubscriptionEvent] = []
    private(set) var state = State.active
    /// Days from now; nil for never.
    private(set) var accessUntil: Int64?
    private(set) var expires: Int64 = 0
    private(set) var product = "vip.month"
    private(set) var held = ["vip"]
    /// What else must hold of the subscription.
    private(set) var also: @Sendable (Subscription) -> Bool = { _ in true }

    init(_ name: String, _ first: SignedTransaction) { (self.name, self.first) = (name, first) }

    /// The same life, in which Apple tells this next.
    func told(_ next: SubscriptionEvent...) -> SubscriptionLife {
        var life = self
        life.events += next
        return life
    }

    /// The same life, and what is read at its end; access ends when the period does, unless `expires` says otherwise.
    func ends(
        _ state: State,
        until accessUntil: Int64?,
        expires: Int64? = nil,
        _ product: String = "vip.month",
        held: [String] = ["vip"],
        also: @escaping @Sendable (Subscription) -> Bool = { _ in true }
    ) -> SubscriptionLife {
        var life = self
        (life.state, life.product, life.held, life.also) = (state, product, held, also)
        (life.accessUntil, life.expires) = (accessUntil, expires ?? accessUntil ?? 0)
        return life
    }
}

extension SubscriptionLife {
    /// One life for each event that there is.
    static var all: [SubscriptionLife] {
        let chain = ChainOfPeriods()
        let lives = beginnings(chain) + continuations(chain) + failures(chain) + changes(chain)
        return lives + refunds(chain) + priceIncreases(chain) + withWordsThatDecideNothing(chain)
    }

    private static func renewed(_ product: String, _ status: Int64) -> [String: JSONValue] {
        ["autoRenewProductId": .string(product), "autoRenewStatus": .integer(status)]
    }

    private static func beginnings(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        let running = chain.period(1, -1, 29)
        let trial = chain.period(1, -1, 6) {
            ($0.offerType, $0.offerDiscountType, $0.offerIdentifier) = (3, "FREE_TRIAL", "spring")
        }
        return [
            SubscriptionLife("initial", running)
                .told(.init("SUBSCRIBED", "INITIAL_BUY", running, renewal: renewed("vip.month", 1)))
                .ends(.active, until: 29) {
                    $0.autoRenew == true && $0.groupId == "21345678" && $0.ownership == "PURCHASED"
                },
            SubscriptionLife("renewal, signed before its period", chain.period(1, -29, 1))
                .told(.init("DID_RENEW", chain.period(2, 1, 31, signed: 1)))
                .ends(.active, until: 31, expires: 1),
            SubscriptionLife("offer", trial)
                .told(.init("OFFER_REDEEMED", "INITIAL_BUY", trial))
                .ends(.active, until: 6) {
                    $0.offer == .init(type: 3, identifier: "spring", discountType: "FREE_TRIAL")
                },
        ]
    }

    private static func continuations(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        let (running, over) = (chain.period(1, -1, 29), chain.period(1, -90, -60))
        let again = chain.period(2, -1, 29, signed: 1, reason: "PURCHASE")
        let asked = renewed("vip.month", 1).merging(["priceIncreaseStatus": .integer(0)]) { $1 }
        return [
            SubscriptionLife("resubscribe", over)
                .told(.init("EXPIRED", "VOLUNTARY", over, renewal: renewed("vip.month", 0)))
                .told(.init("SUBSCRIBED", "RESUBSCRIBE", again))
                .ends(.active, until: 29),
            SubscriptionLife("extension", running)
                .told(.init("RENEWAL_EXTENDED", chain.period(1, -1, 43, signed: 1)))
                .ends(.active, until: 43),
            SubscriptionLife("two periods that begin at one moment, of which one gives nothing", running)
                .told(.init("DID_RENEW", chain.period(2, -1, 59, signed: 1)))
                .ends(.active, until: 59),
            SubscriptionLife("price consent", running)
                .told(.init("PRICE_INCREASE", "PENDING", running, renewal: asked))
                .ends(.active, until: 29) { $0.autoRenew == true },
        ]
    }

    private static func failures(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        let (over, next) = (chain.period(1, -31, -1), chain.period(2, 0, 30, signed: 1))
        func retrying(until grace: Int64? = nil) -> [String: JSONValue] {
            var renewal = renewed("vip.month", 1)
            renewal["isInBillingRetryPeriod"] = .bool(true)
            renewal["gracePeriodExpiresDate"] = grace.map {
                JSONValue.integer(chain.now + $0 * ChainOfPeriods.day)
            }
            return renewal
        }
        return [
            SubscriptionLife("expiry", over)
                .told(.init("EXPIRED", "VOLUNTARY", over, renewal: renewed("vip.month", 0)))
                .ends(.expired, until: -1, held: []) { $0.autoRenew == false },
            SubscriptionLife("grace", over)
                .told(.init("DID_FAIL_TO_RENEW", "GRACE_PERIOD", over, renewal: retrying(until: 15)))
                .ends(.grace, until: 15, expires: -1),
            SubscriptionLife("billing retry", over)
                .told(.init("DID_FAIL_TO_RENEW", over, renewal: retrying()))
                .ends(.billingRetry, until: -1, held: []),
            SubscriptionLife("recovery", over)
                .told(.init("DID_FAIL_TO_RENEW", over, renewal: retrying()))
                .told(.init("DID_RENEW", "BILLING_RECOVERY", next, renewal: renewed("vip.month", 1)))
                .ends(.active, until: 30),
        ]
    }

    private static func changes(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        let year = chain.period(1, -5, 360, "vip.year")
        let upgraded = chain.period(1, -5, 360, "vip.year", signed: 1) { $0.isUpgraded = true }
        let better = chain.period(2, -1, 29, "club.month", signed: 1)
        let (chosen, cancelled) = (
            chain.period(1, -5, 25, "club.month", signed: 1), chain.period(1, -5, 25, "club.month", signed: 2)
        )
        func downgrade(_ name: String, to next: String) -> SubscriptionLife {
            SubscriptionLife(name, chain.period(1, -5, 25, "club.month"))
                .told(
                    .init("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", chosen, renewal: renewed("vip.month", 1))
                )
                .ends(.active, until: 25, "club.month", held: ["club", "vip"]) {
                    $0.autoRenewProductId?.rawValue == next
                }
        }
        return [
            SubscriptionLife("upgrade now, which shortens access", year)
                .told(.init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", better))
                .told(.init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", upgraded))
                .ends(.active, until: 29, "club.month", held: ["club", "vip"]),
            SubscriptionLife("upgraded, to a period that is not known", year)
                .told(.init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", upgraded))
                .ends(.expired, until: nil, expires: 360, "vip.year", held: []),
            downgrade("downgrade later", to: "vip.month"),
            downgrade("downgrade that is cancelled", to: "club.month")
                .told(.init("DID_CHANGE_RENEWAL_PREF", cancelled, renewal: renewed("club.month", 1))),
            SubscriptionLife("crossgrade", chain.period(1, -29, 1))
                .told(.init("DID_RENEW", chain.period(2, -1, 364, "vip.year", signed: 1)))
                .ends(.active, until: 364, "vip.year"),
        ]
    }

    private static func refunds(_ chain: ChainOfPeriods) -> [SubscriptionLife] {
        func revoked(_ period: SignedTransaction, _ day: Int64, _ type: String) -> SignedTransaction {
            var period = period
            (period.revocationDate, period.revocationType) = (chain.now + day * ChainOfPeriods.day, type)
            period.signedDate += 5_000
            return period
        }
        let (old, running) = (chain.period(1, -40, -10), chain.period(1, -1, 29))
        let shared = chain.period(1, -1, 29) { $0.inAppOwnershipType = "FAMILY_SHARED" }
        return [
            SubscriptionLife("refund of an old period while a new one runs", old)
                .told(.init("DID_RENEW", chain.period(2, -10, 20, signed: 1)))
                .told(.init("REFUND", revoked(old, -2, "REFUND_FULL")))
                .ends(.active, until: 20),
            SubscriptionLife("refund of the running period, in part", running)
                .told(.init("REFUND", revoked(running, 0, "REFUND_PRORATED")))
                .ends(.revoked, until: 0, expires: 29, held: []),
            SubscriptionLife(
                "refund of an upgrade, which does not revive what it replaced",
                chain.period(1, -5, 360, "vip.year")
            )
            .told(.init("REFUND", revoked(chain.period(2, -1, 29, "club.month"), 0, "REFUND_FULL")))
            .ends(.revoked, until: 0, expires: 29, "club.month", held: []),
            SubscriptionLife("family sharing", shared)
                .ends(.active, until: 29) { $0.ownership == "FAMILY_SHARED" },
            SubscriptionLife("revoke, when it is shared no more", shared)
                .told(.init("REVOKE", revoked(shared, 0, "FAMILY_REVOKE")))
                .ends(.revoked, until: 0, expires: 29, held: []),
        ]
    }
}
