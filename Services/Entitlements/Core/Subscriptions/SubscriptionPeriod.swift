import Contracts
import Domain

/// What one transaction pays for a period of a subscription that a buyer holds, as Apple signed it last.
///
/// Mostly it is all of the period; seats that are added to it are paid by another one (`PaidPeriod`).
struct SubscriptionPeriod: Codable, Hashable, Sendable {
    let purchaseId: PurchaseID
    var transactionId: TransactionID
    var productId: ProductID
    var purchaseDate: Timestamp
    var expiresDate: Timestamp?
    /// When it was refunded, in part or in full, or stopped being shared.
    var revocationDate: Timestamp?
    /// Whether Apple replaced it by a period of another product before its end.
    var isUpgraded: Bool
    var groupId: String?
    var ownership: String?
    /// Whether seats were bought on their own for a period; it is true of the period's first transaction, too.
    var hasSeatAdditions: Bool
    /// Whether the period belongs to a commitment of 12 months, which has no grace period.
    var isOfCommitment: Bool
    /// Nil where none were bought, and of what is shared.
    var seats: SubscriptionsV1.Subscription.Seats?
    var offer: SubscriptionsV1.Subscription.Offer?
    /// The entitlements that its product gives; empty while an operator must say what it gives.
    var entitlements: [String]

    /// Whether it is a member's copy of a seat, which takes no part in its chain.
    var isAssigned: Bool { ownership == Ownership.assigned }

    /// Whether it was paid for, and nothing came of it yet.
    var isParked: Bool { entitlements.isEmpty && revocationDate == nil }

    /// The period of `facts`, for which the ledger has `grant`.
    init(_ facts: TransactionFacts, _ grant: Grant) {
        purchaseId = facts.purchaseId
        transactionId = facts.transactionId
        productId = facts.productId
        purchaseDate = facts.purchaseDate
        expiresDate = facts.expiresDate
        revocationDate = facts.revocationDate
        isUpgraded = facts.isUpgraded ?? false
        groupId = facts.subscriptionGroupIdentifier
        ownership = facts.inAppOwnershipType
        hasSeatAdditions = facts.additionalTransactionReason == "SEAT_ADDITION"
        isOfCommitment = facts.isOfCommitment
        seats = facts.seats
        offer = facts.offerType.map {
            SubscriptionsV1.Subscription.Offer(
                type: $0,
                identifier: facts.offerIdentifier,
                discountType: facts.offerDiscountType
            )
        }
        entitlements = grant.goods.filter { $0.amount == nil }.map(\.entitlement)
    }
}

extension SubscriptionPeriod {
    /// The end of what it pays for, if nothing ends it before; its begin if Apple states no end.
    var end: Timestamp {
        let expires = expiresDate ?? purchaseDate
        return min(expires, revocationDate ?? expires)
    }

    /// Whether seats that are bought at a moment can be added to what it pays for.
    func runs(at moment: Timestamp) -> Bool { !isUpgraded && purchaseDate <= moment && moment < end }
}

extension TransactionFacts {
    /// Whether it was bought for several people, or for more of them.
    var hasSeats: Bool {
        isPeriod && !isShared
            && (quantity > 1 || seatsPrice != nil || revokedSeatQuantity != nil
                || additionalTransactionReason == "SEAT_ADDITION")
    }

    /// Its seats; none of a transaction that was refunded as a whole.
    fileprivate var seats: SubscriptionsV1.Subscription.Seats? {
        guard hasSeats else { return nil }
        let left = revocationDate == nil ? quantity - (revokedSeatQuantity ?? 0) : 0
        return SubscriptionsV1.Subscription.Seats(
            quantity: max(left, 0),
            revoked: revokedSeatQuantity,
            price: seatsPrice,
            currency: currency
        )
    }
}
