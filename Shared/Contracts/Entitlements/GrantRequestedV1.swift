/// The transaction is paid and its buyer is known: the ledger must match it.
///
/// - Sent by: orders
/// - Received by: entitlements
package struct GrantRequestedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.grant.requested.v1"

    package var buyerId: BuyerID
    package var order: OrderTerms
    package var transaction: TransactionFacts
    /// Whose verdict must be updated.
    package var submission: Submission?

    package init(
        buyerId: BuyerID,
        order: OrderTerms,
        transaction: TransactionFacts,
        submission: Submission? = nil
    ) {
        self.buyerId = buyerId
        self.order = order
        self.transaction = transaction
        self.submission = submission
    }
}

extension GrantRequestedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        buyerId = try json.member("buyerId", value?.buyerId)
        order = try json.member("order", value?.order)
        transaction = try json.member("transaction", value?.transaction)
        submission = try json.optional("submission", value?.submission)
        try json.close()
    }
}
