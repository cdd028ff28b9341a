import Contracts

extension Order {
    /// Whether this order, which the purchase pays here, loses it by a move.
    ///
    /// Tested by: `MoveTests`.
    ///
    /// | the order                                                         | loses it |
    /// |-------------------------------------------------------------------|----------|
    /// | has the purchase by this transfer, or by a later one              | no       |
    /// | is the new holder's, and not the one that has held the claim      | no       |
    /// | is the new holder's, and the move names no other one of theirs    | no       |
    /// | is any other                                                      | yes      |
    ///
    /// A store that was restored may have it with an order of an earlier holder.
    func loses(by moved: ClaimMovedV1) -> Bool {
        guard moved.transfer > move?.transfers ?? 0 else { return false }
        guard buyerID == moved.buyerId else { return true }
        guard id == moved.fromOrderId, let named = moved.orderId else { return false }
        return named != id
    }
}

extension ClaimJudgement {
    /// Judges a move, after the order that loses the purchase has lost it here: it is never refused.
    ///
    /// Tested by: `MoveTests`.
    ///
    /// A purchase that pays an order all the same is `repeated` with that order. Otherwise:
    ///
    /// | the order that the move, or else the signed token, names | judgement                    |
    /// |----------------------------------------------------------|------------------------------|
    /// | absent, or another buyer's                               | `onTheSpot` (the new holder) |
    /// | unpaid, issuedAfter, released                            | `paid`                       |
    /// | paidByThis                                               | `repeated`                   |
    /// | otherProduct, paidByAnother                              | `onTheSpot` (the new holder), as by its token |
    static func judge(
        _ moved: ClaimMovedV1,
        evidence: KnownOrders,
        at now: Timestamp
    ) -> ClaimJudgement {
        let facts = moved.transaction
        if let payer = evidence.payer { return .repeated(payer) }
        guard let named = evidence.named, named.buyerID == moved.buyerId else {
            return .onTheSpot(moved.buyerId)
        }
        switch PaymentMatch(named, to: facts, at: now) {
        case .absent: return .onTheSpot(moved.buyerId)
        case .unpaid, .issuedAfter, .released:
            return pay(named, facts, paidUnits: evidence.paidUnits, at: now)
        case .paidByThis: return .repeated(named)
        case .otherProduct, .paidByAnother:
            return another(beside: named, facts, paidUnits: evidence.paidUnits)
        }
    }
}
