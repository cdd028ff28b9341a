import Contracts

/// Whom a candidate names for a purchase that another buyer holds; nothing is paid by it.
///
/// Tested by: `ChallengeTests`.
///
/// | candidate \ named order | absent   | unpaid, paidByThis | issuedAfter, released | otherProduct, paidByAnother |
/// |-------------------------|----------|--------------------|-----------------------|-----------------------------|
/// | token, owner registered | `onTheSpot` (the owner) | `order` | `order`           | `onTheSpot` (its buyer)     |
/// | token, no owner         | `nobody` | `order`            | `order`               | `onTheSpot` (its buyer)     |
/// | order                   | `nobody` | `order`, if a phone has placed it | `nobody` | `nobody`                  |
/// | registered, holder, caller | `nobody` | `nobody`        | `nobody`              | `nobody`                    |
///
/// A token is signed with the payment, so that its buyer is known whatever that order has paid. An order that a
/// submission names is a hint, and one that the purchase cannot pay is no evidence, nor one that the purchase itself
/// has made. Which order the purchase pays says nothing, unless the candidate names it.
enum ChallengeJudgement: Equatable, Sendable {
    case nobody
    /// This buyer, who has no order that the purchase can pay.
    case onTheSpot(BuyerID)
    /// The buyer of this order, which the purchase pays or can pay.
    case order(OrderID, of: BuyerID)

    static func judge(
        _ candidate: ClaimCandidate,
        of transaction: TransactionFacts,
        evidence: KnownOrders,
        at now: Timestamp
    ) -> ChallengeJudgement {
        guard let named = evidence.named else {
            return judgeAbsent(candidate, tokenOwner: evidence.tokenOwner)
        }
        switch (candidate, PaymentMatch(named, to: transaction, at: now)) {
        case (.token, .absent), (.order, .absent), (.registered, .absent), (.holder, .absent),
            (.caller, .absent):
            return judgeAbsent(candidate, tokenOwner: evidence.tokenOwner)
        case (.token, .unpaid), (.token, .paidByThis), (.token, .issuedAfter), (.token, .released),
            (.order, .unpaid):
            return .order(named.id, of: named.buyerID)
        case (.order, .paidByThis):
            return named.origin == .phone ? .order(named.id, of: named.buyerID) : .nobody
        case (.token, .otherProduct), (.token, .paidByAnother):
            return .onTheSpot(named.buyerID)
        case (.order, .issuedAfter), (.order, .released), (.order, .otherProduct), (.order, .paidByAnother),
            (.registered, .unpaid), (.registered, .paidByThis), (.registered, .issuedAfter),
            (.registered, .released), (.registered, .otherProduct), (.registered, .paidByAnother),
            (.holder, .unpaid), (.holder, .paidByThis), (.holder, .issuedAfter),
            (.holder, .released), (.holder, .otherProduct), (.holder, .paidByAnother),
            (.caller, .unpaid), (.caller, .paidByThis), (.caller, .issuedAfter),
            (.caller, .released), (.caller, .otherProduct), (.caller, .paidByAnother):
            return .nobody
        }
    }

    private static func judgeAbsent(_ candidate: ClaimCandidate, tokenOwner: BuyerID?) -> ChallengeJudgement {
        switch (candidate, tokenOwner) {
        case (.token, .some(let owner)): .onTheSpot(owner)
        case (.token, .none), (.order, _), (.registered, _), (.holder, _), (.caller, _): .nobody
        }
    }

    /// Whom the candidate names.
    var buyerID: BuyerID? {
        switch self {
        case .nobody: nil
        case .onTheSpot(let buyer), .order(_, let buyer): buyer
        }
    }

    /// The order that the purchase can pay.
    var orderID: OrderID? {
        switch self {
        case .nobody, .onTheSpot: nil
        case .order(let order, _): order
        }
    }
}
