/// One line of a buyer's ledger; lines are added and never changed.
package struct LedgerEntry: Codable, Hashable, Sendable {
    /// What a line does to the balance.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case grant
        /// Goods taken back after a refund.
        case reversal
        /// Goods given back after a refund was reversed.
        case reinstatement
    }

    package var entryId: String
    package var kind: Kind
    package var entitlement: String
    /// Signed.
    package var amount: Int64
    /// The purchase's transaction that caused the entry.
    package var transactionId: TransactionID
    package var purchaseId: PurchaseID
    package var productId: ProductID
    package var orderId: OrderID
    package var reference: String?
    package var metadata: [String: JSONValue]?
    package var environment: Environment
    package var time: Timestamp

    /// Without a purchase id, the transaction id is the purchase.
    package init(
        entryId: String,
        kind: Kind,
        entitlement: String,
        amount: Int64,
        transactionId: TransactionID,
        purchaseId: PurchaseID? = nil,
        productId: ProductID,
        order: OrderTerms,
        environment: Environment,
        time: Timestamp
    ) {
        self.entryId = entryId
        self.kind = kind
        self.entitlement = entitlement
        self.amount = amount
        self.transactionId = transactionId
        self.purchaseId = purchaseId ?? PurchaseID(transactionId)
        self.productId = productId
        orderId = order.orderId
        reference = order.reference
        metadata = order.metadata
        self.environment = environment
        self.time = time
    }
}

extension LedgerEntry: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        entryId = try json.member("entryId", value?.entryId)
        kind = try json.member("kind", value?.kind)
        entitlement = try json.member("entitlement", value?.entitlement)
        amount = try json.member("amount", value?.amount)
        transactionId = try json.member("transactionId", value?.transactionId)
        purchaseId = try json.member("purchaseId", value?.purchaseId)
        productId = try json.member("productId", value?.productId)
        orderId = try json.member("orderId", value?.orderId)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        environment = try json.member("environment", value?.environment)
        time = try json.member("time", value?.time)
        try json.close()
    }
}
