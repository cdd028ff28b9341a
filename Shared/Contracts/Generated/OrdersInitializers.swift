// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension ClaimChallengedV1 {
    package init(attempt: Int, candidate: ClaimCandidate, transaction: TransactionFacts, _: Void = ()) {
        self.attempt = attempt
        self.candidate = candidate
        self.transaction = transaction
    }
}

extension ClaimLookupV1 {
    package init(attempt: Int, transaction: TransactionFacts, submission: Submission? = nil, _: Void = ()) {
        self.attempt = attempt
        self.transaction = transaction
        self.submission = submission
    }
}

extension ClaimMovedV1 {
    package init(
        transaction: TransactionFacts,
        buyerId: BuyerID,
        orderId: OrderID? = nil,
        fromOrderId: OrderID,
        transfer: Int,
        evidence: HolderEvidence,
        _: Void = ()
    ) {
        self.transaction = transaction
        self.buyerId = buyerId
        self.orderId = orderId
        self.fromOrderId = fromOrderId
        self.transfer = transfer
        self.evidence = evidence
    }
}

extension ClaimProposedV1 {
    package init(
        attempt: Int,
        candidate: ClaimCandidate,
        transaction: TransactionFacts,
        submission: Submission? = nil,
        _: Void = ()
    ) {
        self.attempt = attempt
        self.candidate = candidate
        self.transaction = transaction
        self.submission = submission
    }
}

extension CompensationChangedV1 {
    package init(compensation: CompensationV1, _: Void = ()) {
        self.compensation = compensation
    }
}

extension GrantRecordedV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        orderId: OrderID,
        purchaseId: PurchaseID,
        outcome: GrantOutcome,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.orderId = orderId
        self.purchaseId = purchaseId
        self.outcome = outcome
    }
}

extension OrderCloseV1 {
    package init(
        bundleId: BundleID,
        orderId: OrderID,
        reason: OrderCloseReason,
        buyerId: BuyerID? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.orderId = orderId
        self.reason = reason
        self.buyerId = buyerId
    }
}

extension OrderGetV1 {
    package init(bundleId: BundleID, orderId: OrderID, buyerId: BuyerID? = nil, _: Void = ()) {
        self.bundleId = bundleId
        self.orderId = orderId
        self.buyerId = buyerId
    }
}

extension OrderIssueV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        idempotencyKey: String,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil,
        onlyOne: Bool? = nil,
        limit: Int? = nil,
        onSale: Bool? = nil,
        issuedBy: OrderV1.Issuer? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.idempotencyKey = idempotencyKey
        self.reference = reference
        self.metadata = metadata
        self.onlyOne = onlyOne
        self.limit = limit
        self.onSale = onSale
        self.issuedBy = issuedBy
    }
}

extension OrderReleasedV1 {
    package init(
        bundleId: BundleID,
        environment: Environment,
        orderId: OrderID,
        purchaseId: PurchaseID,
        transfer: Int,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.orderId = orderId
        self.purchaseId = purchaseId
        self.transfer = transfer
    }
}

extension OrderTerms {
    package init(
        orderId: OrderID,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil,
        issuedBy: OrderV1.Issuer? = nil,
        late: Bool? = nil,
        _: Void = ()
    ) {
        self.orderId = orderId
        self.reference = reference
        self.metadata = metadata
        self.issuedBy = issuedBy
        self.late = late
    }
}

extension OrdersFindV1 {
    package init(bundleId: BundleID, reference: String, _: Void = ()) {
        self.bundleId = bundleId
        self.reference = reference
    }
}

extension OrdersListV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        states: [OrderV1.State]? = nil,
        productId: ProductID? = nil,
        origins: [OrderV1.Origin]? = nil,
        after: OrderID? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.states = states
        self.productId = productId
        self.origins = origins
        self.after = after
        self.limit = limit
    }
}

extension OrdersV1 {
    package init(orders: [OrderV1], next: OrderID?, _: Void = ()) {
        self.orders = orders
        self.next = next
    }
}

extension TokenRegisterV1 {
    package init(bundleId: BundleID, appAccountToken: String, buyerId: BuyerID, _: Void = ()) {
        self.bundleId = bundleId
        self.appAccountToken = appAccountToken
        self.buyerId = buyerId
    }
}

extension TokenRegisteredV1 {
    package init(appAccountToken: String, buyerId: BuyerID, _: Void = ()) {
        self.appAccountToken = appAccountToken
        self.buyerId = buyerId
    }
}

extension TransactionUpdatedV1 {
    package init(
        transaction: TransactionFacts,
        buyerId: BuyerID,
        orderId: OrderID,
        isSubmitted: Bool? = nil,
        submission: Submission? = nil,
        transferred: Transferred? = nil,
        evidence: HolderEvidence? = nil,
        _: Void = ()
    ) {
        self.transaction = transaction
        self.buyerId = buyerId
        self.orderId = orderId
        self.isSubmitted = isSubmitted
        self.submission = submission
        self.transferred = transferred
        self.evidence = evidence
    }
}
