/// What Apple says of a purchase, paid or refunded: its holder's ledger must match it.
///
/// - Sent by: orders
/// - Received by: entitlements
package struct PurchaseReportedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.purchase.reported.v1"

    package var buyerId: BuyerID
    package var order: OrderTerms
    package var transaction: TransactionFacts
    /// Whose verdict must be updated.
    package var submission: Submission? = nil
    /// How often the purchase had moved when the buyer came to hold it; nil of the one who paid.
    ///
    /// Who turned out to be the payer by a transfer gets a request without it, then one with it under the same order.
    package var transfers: Int? = nil
    /// By which evidence the purchase pays the order; nil where Orders does not know any more.
    package var evidence: HolderEvidence? = nil
}
