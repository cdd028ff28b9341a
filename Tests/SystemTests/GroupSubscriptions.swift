import Contracts
import Domain

/// The access that follows from what Apple has signed, worked out from the sentences of the design and from nothing
/// else.
///
/// A period gives access from its purchase to the earliest of its revocation, the purchase of the chain's next period,
/// refunded or not, and its expiry; the last one until the end of a later grace period, if Apple has stated that since
/// it began. An upgraded period without a known successor gives none. Several transactions may be one period, as when
/// seats were added: it ends when all are revoked. A member's copy of a seat stands beside the chain. An entitlement is
/// held while any fact gives it.
struct GroupSubscriptions {
    struct Period {
        let key: GroupKey
        let transaction: GroupTransaction
        let holder: BuyerID
        let facts: GroupFacts
        let begins: Int64
        let expires: Int64

        init?(_ key: GroupKey, _ transaction: GroupTransaction, _ facts: GroupFacts, holder: BuyerID) {
            guard let period = transaction.period else { return nil }
            (self.key, self.transaction, self.facts, self.holder) = (key, transaction, facts, holder)
            begins = GroupWorld.runStart + period.begins
            expires = GroupWorld.runStart + period.ends
        }

        var revoked: Int64? { facts.refunded > 0 ? begins + facts.signed : nil }
        var entitlements: [String] {
            (transaction.product.goods(laterCatalog: true) ?? []).filter { $0.amount == nil }.map(
                \.entitlement
            )
        }
    }

    /// The time in which a period gives access, in ms since 1970.
    struct Span {
        /// Nil of a pass for days.
        var period: Period?
        let entitlements: [String]
        let begins: Int64
        let ends: Int64

        func contains(_ time: Int64) -> Bool { begins <= time && time < ends }
    }

    /// The held periods, in order of time, by their original transaction ids.
    private(set) var chains: [TransactionID: [Period]] = [:]
    /// The times of passes that are not refunded, by their buyers.
    private(set) var passes: [BuyerID: [Span]] = [:]
    /// What Apple said last of each next renewal.
    private(set) var renewals: [TransactionID: RenewalFacts] = [:]

    init(_ checker: GroupChecker) {
        for (key, expectation) in checker.model.expectations {
            guard let claim = checker.claims[key], claim.state == "held", let buyer = claim.buyer,
                let facts = expectation.newest,
                let period = Period(key, expectation.transaction, facts, holder: buyer)
            else { continue }
            chains[expectation.transaction.original, default: []].append(period)
        }
        for chain in chains.keys { chains[chain]?.sort { ($0.begins, $0.key) < ($1.begins, $1.key) } }
        notePasses(checker)
        let script = checker.simulation.script
        for statement in script.statements {
            guard let renewal = statement.renewal else { continue }
            let chain = script.transactions[statement.transaction].original
            if let known = renewals[chain], known.signedDate >= renewal.signedDate { continue }
            renewals[chain] = renewal
        }
    }

    /// Passes last a day each, one after the other in the order in which they were bought.
    private mutating func notePasses(_ checker: GroupChecker) {
        let bought = checker.model.expectations.compactMap {
            key,
            expectation -> (Int64, GroupKey, BuyerID)? in
            guard let begins = expectation.transaction.bought, let claim = checker.claims[key],
                claim.state == "held", let buyer = claim.buyer, expectation.newest?.refunded != 100_000
            else { return nil }
            return (GroupWorld.runStart + begins, key, buyer)
        }
        for (date, _, buyer) in bought.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            let begins = max(date, passes[buyer]?.last?.ends ?? date)
            let name = GroupProduct.days.rawValue
            let span = Span(entitlements: [name], begins: begins, ends: begins + 86_400_000)
            passes[buyer, default: []].append(span)
        }
    }

    /// The times in which a buyer has access by a chain; none is empty.
    func spans(of buyer: BuyerID, by chain: TransactionID) -> [Span] {
        let periods = chains[chain] ?? []
        return periods.indices.compactMap { place in
            let period = periods[place]
            guard period.holder == buyer else { return nil }
            let later = period.transaction.assigns == nil ? periods.dropFirst(place + 1) : []
            let next = later.first { $0.transaction.adds == nil && $0.transaction.assigns == nil }?.begins
            if next == nil, period.facts.isUpgraded { return nil }
            var end = period.expires
            if next == nil, let grace = failure(after: period)?.gracePeriodExpiresDate?.milliseconds {
                end = max(end, grace)
            }
            end = min(end, next ?? end, period.revoked ?? end)
            guard period.begins < end else { return nil }
            return Span(
                period: period,
                entitlements: period.entitlements,
                begins: period.begins,
                ends: end
            )
        }
    }

    /// What Apple said of the next renewal since a period began.
    private func failure(after period: Period) -> RenewalFacts? {
        renewals[period.transaction.original].flatMap {
            $0.signedDate.milliseconds >= period.begins ? $0 : nil
        }
    }

    /// What a buyer has by subscriptions at a moment, each with its end.
    func possessions(of buyer: BuyerID, at time: Int64) -> [String: Int64] {
        spans(of: buyer).compactMapValues { spans in
            spans.contains { $0.contains(time) } ? end(of: spans, after: time) : nil
        }
    }

    /// When what a buyer has by subscriptions and passes ends; of what the buyer does not have, when it begins.
    func changes(for buyer: BuyerID, after time: Int64) -> [String: Int64] {
        spans(of: buyer).compactMapValues { spans in
            let isHeld = spans.contains { $0.contains(time) }
            return isHeld ? end(of: spans, after: time) : spans.map(\.begins).filter { $0 > time }.min()
        }
    }

    private func spans(of buyer: BuyerID) -> [String: [Span]] {
        var spans: [String: [Span]] = [:]
        let all = chains.keys.flatMap { self.spans(of: buyer, by: $0) } + passes[buyer, default: []]
        for span in all {
            for name in span.entitlements { spans[name, default: []].append(span) }
        }
        return spans
    }

    /// The end of the first time without a gap that ends after a moment.
    private func end(of spans: [Span], after time: Int64) -> Int64? {
        let open = spans.filter { $0.ends > time }.sorted { $0.begins < $1.begins }
        return open.dropFirst().reduce(open.first?.ends) { end, span in
            span.begins <= end ?? 0 ? max(end ?? 0, span.ends) : end
        }
    }

    /// What must be said of a buyer's subscription at a moment.
    struct Answer: Equatable {
        var product: ProductID
        var state: SubscriptionsV1.Subscription.State
        var accessUntil: Int64?
        var expires: Int64?
    }

    /// By original transaction id; only of those of which the buyer holds a period.
    func answers(for buyer: BuyerID, at time: Int64) -> [TransactionID: Answer] {
        chains.compactMapValues { periods in
            guard let last = periods.last(where: { $0.holder == buyer }),
                let chain = periods.first?.transaction.original
            else { return nil }
            let own = spans(of: buyer, by: chain)
            let span = own.first { $0.contains(time) }
            let shown = span?.period ?? last
            let isLast = periods.last?.key == last.key
            // Of a period with added seats each transaction must be revoked.
            let first = periods.lastIndex { $0.holder == buyer && $0.transaction.adds == nil } ?? 0
            let isRevoked = periods[first...].allSatisfy { $0.holder != buyer || $0.revoked != nil }
            return Answer(
                product: shown.transaction.product.id,
                state: state(isRevoked, span, at: time, isLast ? failure(after: last) : nil),
                accessUntil: own.map(\.ends).max(),
                expires: shown.expires
            )
        }
    }

    private func state(
        _ isRevoked: Bool,
        _ span: Span?,
        at time: Int64,
        _ renewal: RenewalFacts?
    ) -> SubscriptionsV1.Subscription.State {
        if let period = span?.period { return time < period.expires ? .active : .grace }
        if isRevoked { return .revoked }
        return renewal?.isInBillingRetryPeriod == true ? .billingRetry : .expired
    }
}
