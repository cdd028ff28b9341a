/// What is known of a subscription besides the periods that a buyer holds.
///
/// - Sent by: receipts
/// - Received by: entitlements
package struct SubscriptionUpdatedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.subscription.updated.v1"

    /// A period of the same subscription that another buyer holds.
    package struct Successor: Codable, Hashable, Sendable {
        package var purchaseId: PurchaseID
        package var purchaseDate: Timestamp
    }

    package var bundleId: BundleID
    package var buyerId: BuyerID
    package var environment: Environment
    package var originalTransactionId: TransactionID
    /// Apple's newest word of the next renewal; nil when Apple has said nothing, or it is told to another buyer.
    package var renewal: RenewalFacts? = nil
    /// The period with which the subscription went on to another buyer; nil if it stayed.
    package var successor: Successor? = nil
}
