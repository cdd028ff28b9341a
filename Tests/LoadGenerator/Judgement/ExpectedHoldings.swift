/// What every buyer must hold, as it follows from all that was acknowledged so far.
struct ExpectedHoldings: Sendable {
    private var balances: [Int32: [String: Int64]] = [:]
    /// Of what was bought once and is not used up.
    private var permanent: [Int32: Set<String>] = [:]
    private var chains: [Int32: [Chain]] = [:]
    /// Buyers of whom something is under way that was not acknowledged: their access cannot be judged.
    private(set) var undecided: Set<Int32> = []
    /// What spends and credits add to each buyer's balances.
    private(set) var own: [Int32: [String: Int64]] = [:]

    init(_ audit: Audit) {
        for (transaction, expectation) in audit.expectations { add(expectation, transaction, audit) }
        for (buyer, entitlement, amount) in audit.wallet.changes {
            add(amount, of: entitlement, to: buyer)
            own[buyer, default: [:]][entitlement, default: 0] += amount
        }
        for (buyer, entitlement, amount) in audit.compensations.changes {
            add(amount, of: entitlement, to: buyer)
        }
        for chain in audit.apple.chains.values { add(chain, audit) }
    }

    private mutating func add(_ amount: Int64, of entitlement: String, to buyer: Int32) {
        balances[buyer, default: [:]][entitlement, default: 0] += amount
    }

    private mutating func add(_ expectation: PurchaseExpectation, _ transaction: UInt64, _ audit: Audit) {
        let isFound = audit.found[transaction] != nil
        let refund = audit.apple.refunds[transaction]
        if refund?.isCertain == false { undecided.insert(expectation.owner) }
        guard isFound || expectation.isAcknowledged else { return }
        let product = audit.products[Int(expectation.product)]
        for (entitlement, each) in product.amounts {
            let amount = each * Int64(expectation.quantity)
            let net = isFound ? audit.taken[transaction]?[entitlement] ?? 0 : amount
            let taken = refund?.taken(
                of: amount,
                net: net,
                hasFloor: audit.floors.contains(entitlement)
            )
            add(amount - (taken ?? 0), of: entitlement, to: expectation.owner)
        }
        let isGone = refund?.possibleShares == [RefundHistory.all]
        let holder = holder(of: transaction, after: expectation.owner, audit)
        guard product.kind == .nonConsumable, !isGone else { return }
        permanent[holder, default: []].formUnion(product.possessions)
    }

    /// Who has what was bought, if another login may have restored it.
    private mutating func holder(of transaction: UInt64, after owner: Int32, _ audit: Audit) -> Int32 {
        guard let move = audit.moves.all[transaction] else { return owner }
        if move.isAnswered || audit.hasMoved(transaction) { return move.to }
        undecided.formUnion([move.from, move.to])
        return owner
    }

    /// Periods that were not acknowledged count where a ledger has them.
    private mutating func add(_ chain: Chain, _ audit: Audit) {
        var chain = chain
        let holder = holder(of: chain.original, after: chain.buyer, audit)
        let isAcknowledged = { audit.expectations[$0]?.isAcknowledged == true || audit.found[$0] != nil }
        if !chain.renewals.allSatisfy(\.isAcknowledged)
            || !chain.periods.allSatisfy({ isAcknowledged($0.transaction) })
        {
            undecided.insert(holder)
        }
        chain.periods.removeAll { !isAcknowledged($0.transaction) }
        for index in chain.periods.indices {
            chain.periods[index].revoked = audit.apple.refunds[chain.periods[index].transaction]?.revoked
        }
        chains[holder, default: []].append(chain)
    }

    // MARK: Judging

    /// Whether balances are what was acknowledged, and what the ledger adds up to.
    func isRight(_ read: [String: Int64], sums: [String: Int64], of buyer: Int32) -> Bool {
        let expected = balances[buyer, default: [:]]
        return Set(read.keys).union(expected.keys).allSatisfy { name in
            read[name, default: 0] == expected[name, default: 0]
                && read[name, default: 0] == sums[name, default: 0]
        }
    }

    /// Whether possessions and subscriptions are what they must be at one of the two ends of the reading.
    func isRight(_ reading: HoldingsReading, of buyer: Int32, _ products: [Product]) -> Bool {
        if undecided.contains(buyer) { return true }
        let held = reading.access
        return [reading.asked, reading.answered].contains { held == access(of: buyer, at: $0, products) }
    }

    private func access(of buyer: Int32, at moment: Int64, _ products: [Product]) -> Access {
        let chains = chains[buyer, default: []]
        var times: [String: [Range<Int64>]] = [:]
        for span in chains.flatMap(\.spans) {
            for name in products[Int(span.period.product)].possessions {
                times[name, default: []].append(span.time)
            }
        }
        let lasting = permanent[buyer, default: []]
        let ending = times.compactMap { name, spans in
            Self.end(of: spans, around: moment).map { Access.Possession(entitlement: name, expires: $0) }
        }
        let possessions =
            lasting.map { Access.Possession(entitlement: $0, expires: nil) }
            + ending.filter { !lasting.contains($0.entitlement) }
        return Access(
            possessions: possessions.sorted { $0.entitlement < $1.entitlement },
            subscriptions: chains.compactMap { $0.subscription(at: moment, products) }
                .sorted { $0.originalTransactionId < $1.originalTransactionId }
        )
    }

    /// The end of the unbroken time that contains a moment; nil if none does.
    private static func end(of spans: [Range<Int64>], around moment: Int64) -> Int64? {
        var end: Int64?
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let known = end {
                if span.lowerBound <= known { end = max(known, span.upperBound) }
            } else if moment < span.upperBound {
                // What ended before is no part of it, unless it touches what follows.
                end = span.lowerBound <= moment ? span.upperBound : nil
            }
        }
        return end
    }
}
