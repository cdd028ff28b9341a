/// A spend, a credit, or a spend that is given back, as it is asked for.
struct Movement: Sendable {
    enum Kind: String, Sendable { case spend, credit, spendReversal }

    /// The `Idempotency-Key`.
    let key: String
    let kind: Kind
    let buyer: Int32
    let entitlement: String
    /// At least 1.
    let amount: Int64
    /// The entry of the spend that is given back.
    var undoes: String?

    var change: Int64 { kind == .spend ? -amount : amount }
}

/// Holds the ledgers' spends and credits against what was asked for and acknowledged: each once, and no other.
struct WalletBook: Sendable {
    private struct Known {
        let movement: Movement
        /// The entries that answers named; one, if all is well.
        var acknowledged: Set<String> = []
        /// The entries that the ledger has.
        var seen: [String] = []
    }

    private var known: [String: Known] = [:]
    /// The keys under which spends were given back, by the entry of the spend.
    private var reversals: [String: String] = [:]
    private(set) var insufficient = 0

    // MARK: What is asked

    mutating func noteAttempt(_ movement: Movement) {
        known[movement.key] = Known(movement: movement)
        if let spend = movement.undoes { reversals[spend] = movement.key }
    }

    /// There was not enough: from now on such an entry is nobody's, unless an earlier attempt may still be under way.
    mutating func noteRefusal(of key: String, isCertain: Bool) {
        insufficient += 1
        if isCertain { known[key] = nil }
    }

    mutating func noteEntry(_ entry: String, of key: String) { known[key]?.acknowledged.insert(entry) }

    // MARK: What ledgers say

    /// Takes one entry into account; false where nobody asked for it.
    mutating func note(_ entry: LedgerPage.Entry, of buyer: Int32) -> Bool {
        let key = entry.undoes.flatMap { reversals[$0] } ?? entry.metadata?.key
        guard let key, let movement = known[key]?.movement, movement.kind.rawValue == entry.kind,
            movement.buyer == buyer, movement.entitlement == entry.entitlement,
            movement.amount == entry.amount
        else { return false }
        known[key]?.seen.append(entry.entryId)
        return true
    }

    // MARK: The verdict

    /// Acknowledged, and in no ledger.
    var lost: Int {
        known.values.count { !$0.acknowledged.isEmpty && $0.acknowledged.isDisjoint(with: $0.seen) }
    }
    /// More than once in a ledger, or acknowledged as two entries.
    var twice: Int { known.values.count { $0.seen.count > 1 || $0.acknowledged.count > 1 } }

    func acknowledged(_ kind: Movement.Kind) -> Int {
        known.values.count { $0.movement.kind == kind && !$0.acknowledged.isEmpty }
    }

    /// What they add to each buyer's balances: what was acknowledged, and what a ledger has of the rest, each once.
    var changes: [(buyer: Int32, entitlement: String, amount: Int64)] {
        known.values.filter { !$0.acknowledged.isEmpty || !$0.seen.isEmpty }
            .map { ($0.movement.buyer, $0.movement.entitlement, $0.movement.change) }
    }
}
