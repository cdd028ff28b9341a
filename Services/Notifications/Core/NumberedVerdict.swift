import Contracts

extension Verdict {
    /// Whether this verdict replaces an earlier one on a purchase that has not moved between the two.
    ///
    /// Tested by: `VerdictTests`.
    ///
    /// | known \ incoming | pending | open  | conflict | granted, ended |
    /// |------------------|---------|-------|----------|----------------|
    /// | nothing          | taken   | taken | taken    | taken          |
    /// | pending          | again   | taken | taken    | taken          |
    /// | open             | kept    | taken | taken    | taken          |
    /// | conflict         | kept    | kept  | taken    | taken          |
    /// | granted, ended   | kept    | kept  | kept     | taken          |
    ///
    /// *open*: parked or invalid, which a phone may not finish either. Verdicts come over several links, so their order
    /// is free; what a phone may finish it may finish as long as the purchase does not move. *granted, ended*: what the
    /// buyer's own ledger says, over one link, where the later one knows more: what was granted is refunded, and
    /// perhaps reinstated. *conflict*: the claim is another's, or the buyer's ledger says that it has left.
    func replaces(_ known: Verdict?) -> Bool {
        switch (known?.rank, rank) {
        case (nil, .pending), (nil, .open), (nil, .conflict), (nil, .ledger): true
        case (.pending, .open), (.pending, .conflict), (.pending, .ledger): true
        case (.open, .open), (.open, .conflict), (.open, .ledger): true
        case (.conflict, .conflict), (.conflict, .ledger): true
        case (.ledger, .ledger): true
        case (.pending, .pending), (.open, .pending), (.conflict, .pending), (.ledger, .pending): false
        case (.conflict, .open), (.ledger, .open), (.ledger, .conflict): false
        }
    }

    private enum Rank { case pending, open, conflict, ledger }

    private var rank: Rank {
        switch self {
        case .pending: .pending
        case .parked, .invalid: .open
        case .conflict: .conflict
        case .granted, .ended: .ledger
        }
    }
}

/// The verdict on one transaction of a submission, numbered by its position there.
struct NumberedVerdict: Hashable, Sendable {
    /// The position of a transaction whose submission is not accepted yet: behind all others.
    static let unplaced = 1_000_000

    var verdict: TransactionVerdict
    var position = unplaced
    /// How often the purchase had moved to another login when this was said.
    var transfers = 0

    /// This verdict, with the ledger's later decision about the same purchase.
    func following(_ change: EntitlementChangedV1) -> NumberedVerdict {
        var following = self
        following.verdict.verdict = change.verdict
        following.verdict.grantedAt = change.grantedAt
        following.verdict.reason = change.reason
        following.transfers = change.transfers ?? 0
        return following
    }

    /// This verdict merged with the known one; nil when nothing changes.
    func merged(into known: NumberedVerdict?) -> NumberedVerdict? {
        guard let known else { return self }
        var merged = known
        merged.position = min(position, known.position)
        if replaces(known) {
            (merged.verdict, merged.transfers) = (verdict, transfers)
            // The ledger's order stays known, so that the verdict follows the ledger on.
            merged.verdict.orderId = verdict.orderId ?? known.verdict.orderId
            if repeatsConflict(known), verdict.orderId != nil {
                merged.verdict.reason = verdict.reason ?? known.verdict.reason
            }
        } else if repeatsPending(known) {
            merged.verdict.reason = verdict.reason
        }
        return merged == known ? nil : merged
    }

    /// Whether this verdict is newer: what was said after more transfers is, and of two after as many the table
    /// decides.
    private func replaces(_ known: NumberedVerdict) -> Bool {
        transfers == known.transfers
            ? verdict.verdict.replaces(known.verdict.verdict) : transfers > known.transfers
    }

    /// Whether the proof was read again and nothing is decided: the same submission may say by now who has bought it.
    private func repeatsPending(_ known: NumberedVerdict) -> Bool {
        transfers == known.transfers && verdict.verdict == .pending && known.verdict.verdict == .pending
    }

    /// Whether claim and ledger say that another holds it; only the claim says why.
    private func repeatsConflict(_ known: NumberedVerdict) -> Bool {
        transfers == known.transfers && verdict.verdict == .conflict && known.verdict.verdict == .conflict
    }
}

extension ReceiptAcceptedV1 {
    /// Whether it says no more than the verdict on its transaction will.
    var isOnlyPending: Bool {
        submission.isOnly == true && verdict == nil && applicationVersion == nil
            && transactions.allSatisfy { $0.verdict == .pending }
    }

    /// The verdicts on this part of the submission's transactions.
    var numberedVerdicts: [NumberedVerdict] {
        transactions.enumerated().map { NumberedVerdict(verdict: $1, position: (offset ?? 0) + $0) }
    }
}

extension NumberedVerdict {
    /// The ledger's verdict on a purchase, under the id by which `submission` names it.
    init(_ change: EntitlementChangedV1, named submission: Submission) {
        let verdict = TransactionVerdict(
            change.transaction.named(by: submission),
            orderId: change.order.orderId,
            verdict: change.verdict,
            grantedAt: change.grantedAt,
            reason: change.reason
        )
        self.init(verdict: verdict, transfers: change.transfers ?? 0)
    }
}
