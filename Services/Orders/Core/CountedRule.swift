import Contracts

/// A rule that is counted each time it decides.
enum CountedRule: String, CaseIterable, Sendable {
    /// Apple gave the id of an order back in another case, and it was found all the same.
    case tokenCaseChanged = "token_case_changed"
    /// A proof without a token came to the order that it names, or to its submitter.
    case claimWithoutToken = "claims_without_token"
    /// Two buyers' orders were made in the same millisecond.
    case sameMillisecond = "orders_in_same_millisecond"

    /// The rule that has decided whose a payment is.
    ///
    /// Tested by: `CountedRuleTests`.
    ///
    /// | candidate     | token           | order by the judgement     | rule                |
    /// |---------------|-----------------|----------------------------|---------------------|
    /// | token         | in another case | paid, or one on the spot   | `tokenCaseChanged`  |
    /// | order, caller | none            | the same, of a submission  | `claimWithoutToken` |
    ///
    /// Whatever else comes up is an ordinary case. What is repeated was counted before.
    static func deciding(_ proposal: ClaimProposedV1, _ judgement: ClaimJudgement) -> CountedRule? {
        switch judgement {
        case .repeated, .refused: return nil
        case .paid, .onTheSpot: break
        }
        switch (proposal.candidate, proposal.transaction.appAccountToken) {
        case (.token(let asked), .some(let token)):
            return token == asked ? nil : .tokenCaseChanged
        case (.order, .none), (.caller, .none):
            return proposal.submission == nil ? nil : .claimWithoutToken
        case (.token, .none), (.order, .some), (.caller, .some), (.registered, _), (.holder, _):
            return nil
        }
    }
}
