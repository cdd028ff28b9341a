import Contracts

extension Verdict {
    /// Whether this verdict replaces an earlier one.
    ///
    /// | known \ incoming | pending | open      | final     |
    /// |------------------|---------|-----------|-----------|
    /// | nothing          | taken   | taken     | taken     |
    /// | pending          | again   | taken     | taken     |
    /// | open             | kept    | taken     | taken     |
    /// | final            | kept    | kept      | taken     |
    ///
    /// *open*: parked or invalid, which a phone may not finish either. Verdicts come over several links, so their order
    /// is free; what a phone may finish it may finish for ever. Two final ones come over one link, where the later one
    /// knows more: what was granted is refunded, and perhaps reinstated.
    func replaces(_ known: Verdict?) -> Bool {
        switch (known?.finality, finality) {
        case (nil, .pending), (nil, .open), (nil, .final): true
        case (.pending, .open), (.pending, .final): true
        case (.open, .open), (.open, .final): true
        case (.final, .final): true
        case (.pending, .pending), (.open, .pending), (.final, .pending), (.final, .open): false
        }
    }

    private enum Finality { case pending, open, final }

    private var finality: Finality {
        switch self {
        case .pending: .pending
        case .parked, .invalid: .open
        case .granted, .ended, .conflict: .final
        }
    }
}

/// The verdict on one transaction of a submission, with its position there.
struct PositionedVerdict: Hashable, Sendable {
    /// The position of a transaction whose submission is not accepted yet: behind all others.
    static let unplaced = 1_000_000

    var verdict: TransactionVerdict
    var position = unplaced

    /// This verdict, with the ledger's later decision about the same purchase.
    func following(_ ledger: TransactionVerdict) -> PositionedVerdict {
        var following = self
        following.verdict.verdict = ledger.verdict
        following.verdict.grantedAt = ledger.grantedAt
        following.verdict.reason = ledger.reason
        return following
    }

    /// This verdict merged with the known one; nil when nothing changes.
    func merged(into known: PositionedVerdict?) -> PositionedVerdict? {
        guard let known else { return self }
        var merged = known
        merged.position = min(position, known.position)
        if verdict.verdict.replaces(known.verdict.verdict) { merged.verdict = verdict }
        return merged == known ? nil : merged
    }
}

extension ReceiptAcceptedV1 {
    /// The verdicts on this part of the submission's transactions.
    var positionedVerdicts: [PositionedVerdict] {
        transactions.enumerated().map { PositionedVerdict(verdict: $1, position: (offset ?? 0) + $0) }
    }
}

extension TransactionVerdict {
    /// The ledger's verdict on a purchase, under the id by which `submission` names it.
    init(_ change: EntitlementChangedV1, named submission: Submission? = nil) {
        self.init(
            submission.map(change.transaction.named) ?? change.transaction,
            orderId: change.order.orderId,
            verdict: change.verdict,
            grantedAt: change.grantedAt,
            reason: change.reason
        )
    }
}
