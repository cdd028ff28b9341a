import Contracts

/// Candidates are asked one at a time: the token, the buyer registered for it, the submission's order, the holder of
/// the chain, the submitter. For a renewal the holder of the chain comes earlier (`ChainHolder`). The submitter is none
/// where another login has bought it, or the proof is a transaction's id alone: then nobody may be left.
extension ClaimCandidate {
    /// The first candidate; nil without a token, a submission and a chain, and while the chain's holder is awaited.
    static func first(
        token: String?,
        submission: Submission?,
        chain: ChainHolder?
    ) -> ClaimCandidate? {
        if let chain, chain.rank == .first { return chain.buyer.map(ClaimCandidate.holder) }
        return named(by: token) ?? first(of: submission, chain: chain)
    }

    /// A submission's first candidate; an order id that is not ours is ignored.
    static func first(of submission: Submission?, chain: ChainHolder?) -> ClaimCandidate? {
        submission?.hintedOrder.map(ClaimCandidate.order)
            ?? buyer(of: submission, chain: chain)
    }

    /// The candidate after this one was refused; nil after the last, and while the chain's holder is awaited.
    ///
    /// `registered` is the buyer that the refusal names if the token is registered.
    func next(
        after reason: ClaimRefusal,
        registered: BuyerID?,
        token: String?,
        submission: Submission?,
        chain: ChainHolder?
    ) -> ClaimCandidate? {
        switch (self, reason, registered) {
        case (.holder, _, _) where chain?.rank == .afterToken: .first(of: submission, chain: nil)
        case (.holder, _, _): Self.named(by: token) ?? .first(of: submission, chain: nil)
        case (.token, .registered, let buyer?): .registered(buyer)
        case (.token, _, _) where chain?.rank == .afterToken,
            (.registered, _, _) where chain?.rank == .afterToken:
            chain?.buyer.map(ClaimCandidate.holder)
        case (.token, _, _), (.registered, _, _): .first(of: submission, chain: chain)
        case (.order, _, _): Self.buyer(of: submission, chain: chain)
        case (.caller, _, _): nil
        }
    }

    /// Whether it is no more than what the submission says.
    var isHint: Bool {
        switch self {
        case .order, .caller: true
        case .token, .registered, .holder: false
        }
    }

    private static func named(by token: String?) -> ClaimCandidate? { token.map(ClaimCandidate.token) }

    /// Whose the purchase is when nothing names its buyer; the order that they placed for it is paid.
    ///
    /// Nil while it is not known who holds the chain.
    private static func buyer(of submission: Submission?, chain: ChainHolder?) -> ClaimCandidate? {
        let buyer = if let chain { chain.buyer } else { submission?.caller }
        return buyer.map(ClaimCandidate.caller)
    }
}

extension Submission {
    /// The submitter, where they may have bought it.
    var caller: BuyerID? { isForAnother == true ? nil : submitter }

    /// Whether anybody is a candidate by what it says.
    var hasCandidate: Bool { caller != nil || hintedOrder != nil }
}
