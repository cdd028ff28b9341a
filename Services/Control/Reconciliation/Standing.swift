import Contracts

/// How the claim of a transaction stands here.
struct Standing: Encodable, Equatable {
    /// `unknown`, or as the claim's partition names it: `proposed`, `held` or `orphan`.
    let state: String
    let buyerId: BuyerID?
    let orderId: OrderID?
    /// Whether Apple has taken it back, as far as is known here.
    let isRevoked: Bool
    /// The moment of the newest signature that is known here.
    let signedDate: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case state, buyerId, orderId
        case isRevoked = "revoked"
    }

    /// As a partition answered; nil when it does not know the transaction.
    init(_ claim: ClaimsV1.Claim?) {
        state = claim?.state ?? "unknown"
        buyerId = claim?.buyerId
        orderId = claim?.orderId
        isRevoked = claim?.isRevoked ?? false
        signedDate = claim?.signedDate
    }

    /// Whether the partition does not know the transaction.
    var isUnknown: Bool { signedDate == nil }

    /// Whether Orders has been asked whose it is and has not answered.
    var isOpen: Bool { state == "proposed" }

    /// For people, such as `held by ada, refunded`.
    var sentence: String {
        let claim = buyerId.map { "\(state) by \($0)" } ?? state
        return isRevoked ? claim + ", refunded" : claim
    }
}
