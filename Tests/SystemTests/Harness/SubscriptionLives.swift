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

    let name: String
    var first: SignedTransaction
    var events: [SubscriptionEvent]
    let state: State
    /// Days from now; nil for never.
    let accessUntil: Int64?
    let expires: Int64
    var product = "vip.month"
    var held = ["vip"]
    /// What else must hold of the subscription.
    var also: @Sendable (SubscriptionsV1.Subscription) -> Bool = { _ in true }
}

extension SubscriptionLife {
    /// One life for each event that there is.
    static var all: [SubscriptionLife] {
        let chains = ChainOfPeriods()
        func renewed(_ product: String, _ status: Int64) -> [String: JSONValue] {
            ["autoRenewProductId": .string(product), "autoRenewStatus": .integer(status)]
        }
        let lives =
            beginnings(chains, renewed) + continuations(chains, renewed) + failures(chains, renewed)
            + changes(chains, renewed)
            + refunds(chains)
        return lives + priceIncreases(chains) + withWordsThatDecideNothing(chains)
    }

    private typealias Renewed = (String, Int64) -> [String: JSONValue]

    private static func beginnings(_ chain: ChainOfPeriods, _ renewed: Renewed) -> [SubscriptionLife] {
        let running = chain.period(1, -1, 29)
        let trial = chain.period(1, -1, 6) {
            ($0.offerType, $0.offerDiscountType, $0.offerIdentifier) = (3, "FREE_TRIAL", "spring")
        }
        return [
            SubscriptionLife(
                name: "initial",
                first: running,
                events: [.init("SUBSCRIBED", "INITIAL_BUY", running, renewal: renewed("vip.month", 1))],
                state: .active,
                accessUntil: 29,
                expires: 29
            ) { $0.autoRenew == true && $0.groupId == "21345678" && $0.ownership == "PURCHASED" },
            SubscriptionLife(
                name: "renewal, signed before its period",
                first: chain.period(1, -29, 1),
                events: [.init("DID_RENEW", chain.period(2, 1, 31, signed: 1))],
                state: .active,
                accessUntil: 31,
                expires: 1
            ),
            SubscriptionLife(
                name: "offer",
                first: trial,
                events: [.init("OFFER_REDEEMED", "INITIAL_BUY", trial)],
                state: .active,
                accessUntil: 6,
                expires: 6
            ) { $0.offer == .init(type: 3, identifier: "spring", discountType: "FREE_TRIAL") },
        ]
    }

    private static func continuations(_ chain: ChainOfPeriods, _ renewed: Renewed) -> [SubscriptionLife] {
        let running = chain.period(1, -1, 29)
        return [
            SubscriptionLife(
                name: "resubscribe",
                first: chain.period(1, -90, -60),
                events: [
                    .init(
                        "EXPIRED",
                        "VOLUNTARY",
                        chain.period(1, -90, -60),
                        renewal: renewed("vip.month", 0)
                    ),
                    .init(
                        "SUBSCRIBED",
                        "RESUBSCRIBE",
                        chain.period(2, -1, 29, signed: 1, reason: "PURCHASE")
                    ),
                ],
                state: .active,
                accessUntil: 29,
                expires: 29
            ),
            SubscriptionLife(
                name: "extension",
                first: running,
                events: [.init("RENEWAL_EXTENDED", chain.period(1, -1, 43, signed: 1))],
                state: .active,
                accessUntil: 43,
                expires: 43
            ),
            SubscriptionLife(
                name: "two periods that begin at one moment, of which one gives nothing",
                first: running,
                events: [.init("DID_RENEW", chain.period(2, -1, 59, signed: 1))],
                state: .active,
                accessUntil: 59,
                expires: 59
            ),
            SubscriptionLife(
                name: "price consent",
                first: running,
                events: [
                    .init(
                        "PRICE_INCREASE",
                        "PENDING",
                        running,
                        renewal: renewed("vip.month", 1).merging(["priceIncreaseStatus": .integer(0)]) {
                            $1
                        }
                    )
                ],
                state: .active,
                accessUntil: 29,
                expires: 29
            ) { $0.autoRenew == true },
        ]
    }

    private static func failures(_ chain: ChainOfPeriods, _ renewed: Renewed) -> [SubscriptionLife] {
        let over = chain.period(1, -31, -1)
        func retrying(until grace: Int64? = nil) -> [String: JSONValue] {
            var renewal = renewed("vip.month", 1)
            renewal["isInBillingRetryPeriod"] = .bool(true)
            renewal["gracePeriodExpiresDate"] = grace.map {
                JSONValue.integer(chain.now + $0 * ChainOfPeriods.day)
            }
            return renewal
        }
        return [
            SubscriptionLife(
                name: "expiry",
                first: over,
                events: [.init("EXPIRED", "VOLUNTARY", over, renewal: renewed("vip.month", 0))],
                state: .expired,
                accessUntil: -1,
                expires: -1,
                held: []
            ) { $0.autoRenew == false },
            SubscriptionLife(
                name: "grace",
                first: over,
                events: [.init("DID_FAIL_TO_RENEW", "GRACE_PERIOD", over, renewal: retrying(until: 15))],
                state: .grace,
                accessUntil: 15,
                expires: -1
            ),
            SubscriptionLife(
                name: "billing retry",
                first: over,
                events: [.init("DID_FAIL_TO_RENEW", over, renewal: retrying())],
                state: .billingRetry,
                accessUntil: -1,
                expires: -1,
                held: []
            ),
            SubscriptionLife(
                name: "recovery",
                first: over,
                events: [
                    .init("DID_FAIL_TO_RENEW", over, renewal: retrying()),
                    .init(
                        "DID_RENEW",
                        "BILLING_RECOVERY",
                        chain.period(2, 0, 30, signed: 1),
                        renewal: renewed("vip.month", 1)
                    ),
                ],
                state: .active,
                accessUntil: 30,
                expires: 30
            ),
        ]
    }

    private static func changes(_ chain: ChainOfPeriods, _ renewed: Renewed) -> [SubscriptionLife] {
        let year = chain.period(1, -5, 360, "vip.year")
        let upgraded = chain.period(1, -5, 360, "vip.year", signed: 1) { $0.isUpgraded = true }
        let club = chain.period(1, -5, 25, "club.month")
        let chosen = SubscriptionEvent(
            "DID_CHANGE_RENEWAL_PREF",
            "DOWNGRADE",
            chain.period(1, -5, 25, "club.month", signed: 1),
            renewal: renewed("vip.month", 1)
        )
        let cancelled = SubscriptionEvent(
            "DID_CHANGE_RENEWAL_PREF",
            chain.period(1, -5, 25, "club.month", signed: 2),
            renewal: renewed("club.month", 1)
        )
        func downgrade(_ name: String, _ events: [SubscriptionEvent], to next: String) -> SubscriptionLife {
            SubscriptionLife(
                name: name,
                first: club,
                events: events,
                state: .active,
                accessUntil: 25,
                expires: 25,
                product: "club.month",
                held: ["club", "vip"]
            ) { $0.autoRenewProductId?.rawValue == next }
        }
        return [
            SubscriptionLife(
                name: "upgrade now, which shortens access",
                first: year,
                events: [
                    .init(
                        "DID_CHANGE_RENEWAL_PREF",
                        "UPGRADE",
                        chain.period(2, -1, 29, "club.month", signed: 1)
                    ),
                    .init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", upgraded),
                ],
                state: .active,
                accessUntil: 29,
                expires: 29,
                product: "club.month",
                held: ["club", "vip"]
            ),
            SubscriptionLife(
                name: "upgraded, to a period that is not known",
                first: year,
                events: [.init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", upgraded)],
                state: .expired,
                accessUntil: nil,
                expires: 360,
                product: "vip.year",
                held: []
            ),
            downgrade("downgrade later", [chosen], to: "vip.month"),
            downgrade("downgrade that is cancelled", [chosen, cancelled], to: "club.month"),
            SubscriptionLife(
                name: "crossgrade",
                first: chain.period(1, -29, 1),
                events: [.init("DID_RENEW", chain.period(2, -1, 364, "vip.year", signed: 1))],
                state: .active,
                accessUntil: 364,
                expires: 364,
                product: "vip.year"
            ),
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
            SubscriptionLife(
                name: "refund of an old period while a new one runs",
                first: old,
                events: [
                    .init("DID_RENEW", chain.period(2, -10, 20, signed: 1)),
                    .init("REFUND", revoked(old, -2, "REFUND_FULL")),
                ],
                state: .active,
                accessUntil: 20,
                expires: 20
            ),
            SubscriptionLife(
                name: "refund of the running period, in part",
                first: running,
                events: [.init("REFUND", revoked(running, 0, "REFUND_PRORATED"))],
                state: .revoked,
                accessUntil: 0,
                expires: 29,
                held: []
            ),
            SubscriptionLife(
                name: "refund of an upgrade, which does not revive what it replaced",
                first: chain.period(1, -5, 360, "vip.year"),
                events: [
                    .init("REFUND", revoked(chain.period(2, -1, 29, "club.month"), 0, "REFUND_FULL"))
                ],
                state: .revoked,
                accessUntil: 0,
                expires: 29,
                product: "club.month",
                held: []
            ),
            SubscriptionLife(
                name: "family sharing",
                first: shared,
                events: [],
                state: .active,
                accessUntil: 29,
                expires: 29
            ) { $0.ownership == "FAMILY_SHARED" },
            SubscriptionLife(
                name: "revoke, when it is shared no more",
                first: shared,
                events: [.init("REVOKE", revoked(shared, 0, "FAMILY_REVOKE"))],
                state: .revoked,
                accessUntil: 0,
                expires: 29,
                held: []
            ),
        ]
    }
}
