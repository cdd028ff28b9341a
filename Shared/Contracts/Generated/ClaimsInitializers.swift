// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension ClaimReassignV1 {
    package init(
        purchaseId: PurchaseID,
        bundleId: BundleID? = nil,
        environment: Environment,
        buyerId: BuyerID? = nil,
        reason: String,
        decidedBy: OperatorID,
        isDryRun: Bool,
        onlyOrphan: Bool? = nil,
        _: Void = ()
    ) {
        self.purchaseId = purchaseId
        self.bundleId = bundleId
        self.environment = environment
        self.buyerId = buyerId
        self.reason = reason
        self.decidedBy = decidedBy
        self.isDryRun = isDryRun
        self.onlyOrphan = onlyOrphan
    }
}

extension ClaimsGetV1 {
    package init(
        bundleId: BundleID,
        environment: Environment,
        transactionIds: [TransactionID],
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.transactionIds = transactionIds
    }
}

extension ClaimsV1 {
    package init(claims: [Claim], _: Void = ()) {
        self.claims = claims
    }
}

extension GivenAmounts {
    package init(hasGiven: Bool? = nil, _: Void = ()) {
        self.hasGiven = hasGiven
    }
}

extension GivenAmountsGetV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        purchaseId: PurchaseID,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.purchaseId = purchaseId
    }
}

extension ReassignmentV1 {
    package init(
        bundleId: BundleID,
        purchaseId: PurchaseID,
        names: [PurchaseID] = [],
        productId: ProductID,
        holderId: BuyerID?,
        orderId: OrderID?,
        heldBy: HolderEvidence?,
        appAccountToken: String?,
        parked: [BuyerID],
        buyerId: BuyerID,
        effect: Effect,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.purchaseId = purchaseId
        self.names = names
        self.productId = productId
        self.holderId = holderId
        self.orderId = orderId
        self.heldBy = heldBy
        self.appAccountToken = appAccountToken
        self.parked = parked
        self.buyerId = buyerId
        self.effect = effect
    }
}
