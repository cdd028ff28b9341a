import Contracts
import Domain

/// A period of a subscription that a buyer holds, as Apple signed it last.
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
    var offer: SubscriptionsV1.Subscription.Offer?
    /// The entitlements that its product gives; empty while an operator must say what it gives.
    var entitlements: [String]

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
