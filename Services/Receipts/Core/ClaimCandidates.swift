import Contracts

/// Candidates are asked one at a time: the token, the buyer registered for it, the submission's order, the submitter.
extension ClaimCandidate {
    /// The first candidate; nil without a token and a submission.
    static func first(token: String?, submission: Submission?) -> ClaimCandidate? {
        token.map(ClaimCandidate.token) ?? first(of: submission)
    }

    /// A submission's first candidate; an order id that is not ours is ignored.
    static func first(of submission: Submission?) -> ClaimCandidate? {
        guard let submission else { return nil }
        return submission.orderId.flatMap(OrderID.init(rawValue:)).map(ClaimCandidate.order)
            ?? .caller(submission.submitter)
    }

    /// The candidate after this one was refused; nil after the last.
    ///
    /// `registered` is the buyer that the refusal names if the token is registered.
    func next(
        after reason: ClaimRefusal,
        registered: BuyerID?,
        submission: Submission?
    ) -> ClaimCandidate? {
        switch (self, reason, registered) {
        case (.token, .registered, let buyer?): .registered(buyer)
        case (.token, _, _), (.registered, _, _): .first(of: submission)
        case (.order, _, _): submission.map { .caller($0.submitter) }
        case (.caller, _, _): nil
        }
    }
}
