import Contracts

extension Claim.Event {
    static func verified(_ facts: TransactionFacts, _ submission: Submission?) -> Claim.Event {
        guard var submission else { return .reported(ClaimFacts(facts)) }
        // The submission names a transaction only if its id differs from its purchase's.
        let isPurchase = PurchaseID(facts.transactionId) == facts.purchaseId
        submission.transactionId = isPurchase ? nil : facts.transactionId
        if !facts.isTransferable { submission.intent = nil }
        return .submitted(ClaimFacts(facts), submission)
    }

    var facts: ClaimFacts? {
        switch self {
        case .submitted(let facts, _), .reported(let facts), .redriven(let facts, _, _): facts
        case .held, .refused, .retried, .transferred: nil
        }
    }
}
