import Contracts

/// What is known of one subscription of a buyer: its chain of periods, and what Apple says of its renewal.
///
/// Access follows from these facts alone, never from the order in which they came:
///
/// | a period gives access from its `purchaseDate` to the earliest of | where |
/// |---|---|
/// | its `revocationDate` | it was refunded, in part or in full, or is no longer shared |
/// | the `purchaseDate` of the chain's next period | there is one, refunded or not, whoever holds it |
/// | its `expiresDate`, or a later `gracePeriodExpiresDate` that was signed after its begin | it is the chain's last one |
/// | its `expiresDate` | it is not the last one |
/// | its `purchaseDate`, so none | it is upgraded, and its successor is not known |
struct SubscriptionChain: Hashable, Sendable {
    /// Those that this buyer holds.
    var periods: [SubscriptionPeriod] = []
    /// Those that other buyers hold: with one of them the subscription goes on elsewhere.
    var successors: [SubscriptionUpdatedV1.Successor] = []
    var renewal: RenewalFacts?

    /// Notes what Apple said of the renewal, unless something newer is known.
    mutating func note(_ renewal: RenewalFacts) {
        if let known = self.renewal, known.signedDate >= renewal.signedDate { return }
        self.renewal = renewal
    }

    /// Notes a period that another buyer holds; returns whether it is news.
    mutating func note(_ successor: SubscriptionUpdatedV1.Successor) -> Bool {
        let isKnown = successors.contains { $0.purchaseId == successor.purchaseId }
        let isOwn = periods.contains { $0.purchaseId == successor.purchaseId }
        guard !isKnown, !isOwn else { return false }
        successors.append(successor)
        return true
    }

    /// The time in which a period gives access; empty where it gives none.
    private func access(
        by period: SubscriptionPeriod,
        until next: Timestamp?
    ) -> (begins: Timestamp, ends: Timestamp) {
        let begins = period.purchaseDate
        if next == nil, period.isUpgraded { return (begins, begins) }
        var end = period.expiresDate ?? begins
        if next == nil, let grace = failure(after: period)?.gracePeriodExpiresDate { end = max(end, grace) }
        return (begins, [end, next, period.revocationDate].compactMap(\.self).min() ?? begins)
    }

    /// What Apple said of the renewal after a period; what it said before is about an earlier one.
    private func failure(after period: SubscriptionPeriod) -> RenewalFacts? {
        renewal.flatMap { $0.signedDate >= period.purchaseDate ? $0 : nil }
    }

    /// What follows from the facts; nil as long as the buyer holds no period.
    func folded() -> SubscriptionAccess? {
        let inOrder = periods.sorted { ($0.purchaseDate, $0.purchaseId) < ($1.purchaseDate, $1.purchaseId) }
        guard let last = inOrder.last else { return nil }
        let own = periods.map { ($0.purchaseDate, $0.purchaseId) }
        let starts = (own + successors.map { ($0.purchaseDate, $0.purchaseId) }).sorted(by: <)
        let isInBillingRetry = failure(after: last)?.isInBillingRetryPeriod ?? false
        var access = SubscriptionAccess(last, renewal, isInBillingRetry: isInBillingRetry)
        var later = starts[...]
        for period in inOrder {
            later = later.drop { $0 <= (period.purchaseDate, period.purchaseId) }
            let (begins, ends) = self.access(by: period, until: later.first?.0)
            if begins < ends { access.append(period, from: begins, to: ends) }
        }
        return access
    }
}
