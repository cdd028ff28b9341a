import Contracts
import Domain
import Database

@testable import Delivery

/// Judges what the buyers hold at rest by the third law's second half: no access without a fact that gives it, and none
/// missing.
extension GroupChecker {
    func checkAccess() throws {
        let subscriptions = GroupSubscriptions(self)
        if simulation.finalHoldings.count != 4 { fail("not everybody heard what they hold", .comesToRest) }
        for holdings in simulation.finalHoldings {
            checkPossessions(holdings, subscriptions)
            if holdings.environment == .production { checkSubscriptions(holdings, subscriptions) }
            checkBalances(holdings)
            checkServer(holdings)
        }
        try checkChanges(subscriptions)
        count(subscriptions)
    }

    private func checkPossessions(_ holdings: GroupHoldings, _ subscriptions: GroupSubscriptions) {
        let found = holdings.possessions
        let expected = [holdings.times.lowerBound, holdings.times.upperBound].map { time in
            let timed =
                holdings.environment == .production
                ? subscriptions.possessions(of: holdings.buyer, at: time) : [:]
            let lasting = permanent(holdings).map { ($0, Int64?.none) }
            return timed.mapValues(Optional.some).merging(lasting) { $1 }
        }
        guard !expected.contains(found) else { return }
        fail("\(holdings.buyer) holds \(found), the facts give \(expected[1])", .accessHasFacts)
    }

    /// What a buyer has for ever by purchases.
    private func permanent(_ holdings: GroupHoldings) -> Set<String> {
        let own = model.expectations.filter { key, expectation in
            key.environment == holdings.environment && expectation.transaction.period == nil
                && claims[key]?.buyer == holdings.buyer && expectation.newest?.refunded != 100_000
        }
        let given = own.filter { !isCompensated($0.key, $0.value) }.values
        let goods = given.flatMap { $0.transaction.product.goods(laterCatalog: true) ?? [] }
        return Set(goods.filter { $0.amount == nil && $0.durationDays == nil }.map(\.entitlement))
    }

    private func checkSubscriptions(_ holdings: GroupHoldings, _ subscriptions: GroupSubscriptions) {
        let told = Dictionary(grouping: holdings.subscriptions.subscriptions) {
            $0.originalTransactionId.atHome
        }
        let several = told.filter { $0.value.count > 1 }
        // A member's copy under other ids stands beside the chain, which a restored store may give to the same buyer.
        if several.contains(where: { !$0.value.contains { $0.ownership == Ownership.assigned } }) {
            fail("\(holdings.buyer) has two subscriptions of one chain", .accessHasFacts)
        }
        let found = told.filter { $0.value.count == 1 }.mapValues { GroupSubscriptions.Answer($0[0]) }
        let expected = [holdings.times.lowerBound, holdings.times.upperBound].map {
            subscriptions.answers(for: holdings.buyer, at: $0).filter { several[$0.key] == nil }
        }
        guard !expected.contains(found) else { return }
        let parting = Set(found.keys).union(expected[1].keys).filter { found[$0] != expected[1][$0] }
        for chain in parting.sorted() {
            let told = (
                found[chain].map { "\($0)" } ?? "nothing", expected[1][chain].map { "\($0)" } ?? "nothing"
            )
            fail("\(holdings.buyer) hears of \(chain) \(told.0), the facts say \(told.1)", .accessHasFacts)
        }
    }

    /// Whatever time will change is looked at then.
    private func checkChanges(_ subscriptions: GroupSubscriptions) throws {
        var planned: [BuyerID: [String: Int64]] = [:]
        for row in try simulation.rows(
            .entitlements,
            "SELECT * FROM told_holding WHERE changes_at IS NOT NULL"
        ) {
            planned[try row["buyer_id"], default: [:]][try row["entitlement"]] = try row["changes_at"]
        }
        let time = simulation.moment.now.milliseconds
        for buyer in [simulation.buyers.0, simulation.buyers.1] {
            let changes = subscriptions.changes(for: buyer, after: time)
            if planned[buyer] ?? [:] != changes {
                fail("\(buyer) is looked at \(planned[buyer] ?? [:]), not \(changes)", .accessHasFacts)
            }
        }
    }

    /// Counts what was dealt in.
    private func count(_ subscriptions: GroupSubscriptions) {
        for periods in subscriptions.chains.values {
            for (place, period) in periods.enumerated() {
                if period.transaction.period?.isRenewal == true { simulation.counts.count(GroupDeal.renewal) }
                if period.revoked != nil { simulation.counts.count(GroupDeal.periodRefund) }
                if period.transaction.adds != nil { simulation.counts.count(GroupDeal.seats) }
                if period.transaction.assigns != nil { simulation.counts.count(GroupDeal.assigned) }
                if period.transaction.replaces != nil { simulation.counts.count(GroupDeal.replaced) }
                guard place > 0 else { continue }
                if periods[place - 1].holder != period.holder { simulation.counts.count(GroupDeal.move) }
                if periods[place - 1].transaction.product != period.transaction.product {
                    simulation.counts.count(GroupDeal.upgrade)
                }
            }
        }
        for (key, expectation) in model.expectations where claims[key]?.state == "held" {
            if expectation.transaction.isShared { simulation.counts.count(GroupDeal.shared) }
            if (expectation.newest?.refunded ?? 0) > 0, expectation.transaction.period == nil {
                simulation.counts.count(GroupDeal.refund)
            }
        }
    }
}

extension GroupSubscriptions.Answer {
    init(_ subscription: SubscriptionsV1.Subscription) {
        self.init(
            product: subscription.productId,
            state: subscription.state,
            accessUntil: subscription.accessUntil?.milliseconds,
            expires: subscription.expires?.milliseconds
        )
    }
}
