import Contracts

/// What is known of one subscription of a buyer: its chain of periods, and what Apple says of its renewal.
///
/// Tested by: `SubscriptionChainTests`.
///
/// Access follows from these facts alone, never from the order in which they came:
///
/// | a period gives access from its `purchaseDate` to the earliest of | where |
/// |---|---|
/// | the last `revocationDate` of its transactions | all were refunded, in part or in full, or are no longer shared |
/// | the `purchaseDate` of the chain's next period | there is one, refunded or not, whoever holds it |
/// | its `expiresDate`, or a later `gracePeriodExpiresDate` that was signed after its begin | it is the chain's last one |
/// | its `expiresDate` | it is not the last one, or of a commitment of 12 months, which has no grace |
/// | its `purchaseDate`, so none | it is upgraded, and its successor is not known |
///
/// Seats that are added to a period are part of it, and no next period (`PaidPeriod`). A refund of some seats changes
/// no access. A member's `ASSIGNED` copy stands beside the chain, because Apple does not say whether it has its
/// purchaser's ids: it gives access from its own `purchaseDate` to its `expiresDate` or `revocationDate`, it ends no
/// period, and no period or renewal changes it.
struct SubscriptionChain: Hashable, Sendable {
    /// Those that this buyer holds.
    var periods: [SubscriptionPeriod] = []
    /// Those that other buyers hold: each of them ends the access by the period before it.
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

    /// The times in which the transactions of a period give access, one after the other; none is empty.
    ///
    /// The first one gives it as long as it can, and the next one from then on.
    private func stretches(of period: PaidPeriod, until next: Timestamp?) -> [SubscriptionAccess.Stretch] {
        if next == nil, period.isUpgraded { return [] }
        var stretches: [SubscriptionAccess.Stretch] = []
        for transaction in period.transactions {
            let begins = max(transaction.purchaseDate, stretches.last?.ends ?? transaction.purchaseDate)
            let ends = end(of: transaction, until: next)
            if begins < ends {
                stretches.append(.init(period: period, transaction: transaction, begins: begins, ends: ends))
            }
        }
        return stretches
    }

    private func end(of transaction: SubscriptionPeriod, until next: Timestamp?) -> Timestamp {
        guard !transaction.isAssigned else { return transaction.end }
        var end = transaction.expiresDate ?? transaction.purchaseDate
        if next == nil, !transaction.isOfCommitment,
            let grace = failure(after: transaction)?.gracePeriodExpiresDate
        {
            end = max(end, grace)
        }
        return [end, next, transaction.revocationDate].compactMap(\.self).min() ?? end
    }

    /// What Apple said of the renewal after a period began; what it said before is about an earlier one.
    private func failure(after period: SubscriptionPeriod) -> RenewalFacts? {
        renewal.flatMap { $0.signedDate >= period.purchaseDate ? $0 : nil }
    }

    /// What follows from the facts; nil as long as the buyer holds no period.
    func folded() -> SubscriptionAccess? {
        let chain = PaidPeriod.chain(of: periods.filter { !$0.isAssigned })
        let copies = periods.filter(\.isAssigned).map { PaidPeriod($0) }
        guard let last = chain.last ?? copies.max(by: { $0.start < $1.start }) else { return nil }
        let isOfChain = !last.first.isAssigned
        let failure = isOfChain ? self.failure(after: last.first) : nil
        let isInRetry = failure?.isInBillingRetryPeriod ?? false
        var access = SubscriptionAccess(last, isOfChain ? renewal : nil, isInBillingRetry: isInRetry)
        let elsewhere = successors.map { ($0.purchaseDate, $0.purchaseId) }
        let starts = (chain.map(\.start) + elsewhere).sorted(by: <)
        var stretches = copies.flatMap { self.stretches(of: $0, until: nil) }
        var later = starts[...]
        for period in chain {
            later = later.drop { $0 <= period.start }
            stretches += self.stretches(of: period, until: later.first?.0)
        }
        for stretch in stretches.sorted(by: { $0.start < $1.start }) { access.append(stretch) }
        return access
    }
}
