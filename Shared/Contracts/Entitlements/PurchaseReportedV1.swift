/// What Apple says of a purchase, paid or refunded: its holder's ledger must match it.
///
/// - Sent by: orders
/// - Received by: entitlements
package struct PurchaseReportedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.purchase.reported.v1"

    package var buyerId: BuyerID
    package var order: OrderTerms
    package var transaction: TransactionFacts
    /// Whose verdict must be updated.
    package var submission: Submission?
    /// How often the purchase had moved when the buyer came to hold it; nil of the one who paid.
    ///
    /// Who turned out to be the payer by a transfer gets a request without it, then one with it under the same order.
    package var transfers: Int?

    package init(
        buyerId: BuyerID,
        order: OrderTerms,
        transaction: TransactionFacts,
        submission: Submission? = nil,
        transfers: Int? = nil
    ) {
        self.buyerId = buyerId
        self.order = order
        self.transaction = transaction
        self.submission = submission
        self.transfers = transfers
    }
}

extension PurchaseReportedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        buyerId = try json.member("buyerId", value?.buyerId)
        order = try json.member("order", value?.order)
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        transfers = try json.optional("transfers", value?.transfers)
        try json.close()
    }
}
