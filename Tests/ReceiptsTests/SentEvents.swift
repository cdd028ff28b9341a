import Contracts
import Delivery
import TestKit

extension [OutgoingEvent] {
    /// About whom Orders is asked.
    var candidates: [ClaimCandidate] {
        get throws { try bodies(ClaimProposedV1.self).map(\.candidate) }
    }

    /// About whom Orders is asked, each by the id of the transaction.
    var proposals: [[String: ClaimCandidate]] {
        get throws {
            try bodies(ClaimProposedV1.self).map { [$0.transaction.transactionId.rawValue: $0.candidate] }
        }
    }

    /// The ids of the transactions that go to their claims.
    var verified: [String] {
        get throws { try bodies(TransactionVerifiedV1.self).map(\.transaction.transactionId) }
    }

    /// Whose submissions Orders is asked about.
    var proposers: [BuyerID?] {
        get throws { try bodies(ClaimProposedV1.self).map(\.submission?.submitter) }
    }

    /// Who is weighed against a holder.
    var challengers: [ClaimCandidate] {
        get throws { try bodies(ClaimChallengedV1.self).map(\.candidate) }
    }

    /// What those hear who do not hold it.
    var verdicts: [Verdict] {
        get throws { try bodies(ClaimConflictedV1.self).map(\.transaction.verdict) }
    }
}

extension ReceiptSubmittedV1 {
    /// The receipt that was stored; nil if none was.
    var receiptId: ReceiptID? {
        guard case .stored(let receipt) = self else { return nil }
        return receipt
    }
}

extension ReceiptsGroup {
    /// Lets a statement arrive at the transaction's partition; about whom Orders is asked.
    func candidates(
        of signed: SignedTransaction,
        _ submission: Submission? = nil
    ) throws -> [ClaimCandidate] {
        try verify(signed, submission).sent.candidates
    }
}
