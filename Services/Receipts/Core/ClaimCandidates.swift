package import Contracts

/// The order in which candidates are asked, one at a time: the token, the buyer registered for it, the order that the
/// submission names, the submitter.
extension ClaimCandidate {
    /// Who is asked first; nil when there is neither a token nor a submission.
    package static func first(token: String?, submission: Submission?) -> ClaimCandidate? {
        token.map(ClaimCandidate.token) ?? first(of: submission)
    }

    /// Who is asked first of those that a submission brings; an order id that is none of ours is a mere remark.
    package static func first(of submission: Submission?) -> ClaimCandidate? {
        guard let submission else { return nil }
        return submission.orderId.flatMap(OrderID.init(rawValue:)).map(ClaimCandidate.order)
            ?? .caller(submission.submitter)
    }

    /// Who is asked after this candidate was refused; nil when nobody is left.
    ///
    /// `registered` is whom the refusal names, if its reason is that the token is registered.
    package func next(
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
