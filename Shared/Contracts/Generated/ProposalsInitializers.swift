// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension AppleOrderReserveV1 {
    package init(
        bundleId: BundleID,
        appleOrderId: AppleOrderID,
        proposalId: ProposalID,
        attempt: EventID,
        step: Step,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.appleOrderId = appleOrderId
        self.proposalId = proposalId
        self.attempt = attempt
        self.step = step
    }
}

extension AppleOrderReserved {
    package init(isNew: Bool, _: Void = ()) {
        self.isNew = isNew
    }
}

extension CompensationBasis {
    package init(
        kind: Kind,
        orderId: OrderID? = nil,
        appleOrderId: AppleOrderID? = nil,
        transactionIds: [TransactionID]? = nil,
        _: Void = ()
    ) {
        self.kind = kind
        self.orderId = orderId
        self.appleOrderId = appleOrderId
        self.transactionIds = transactionIds
    }
}

extension CompensationDecideV1 {
    package init(
        proposalId: ProposalID,
        decision: Decision,
        reason: String? = nil,
        operatorId: OperatorID,
        isDryRun: Bool? = nil,
        onlyOwn: Bool? = nil,
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.decision = decision
        self.reason = reason
        self.operatorId = operatorId
        self.isDryRun = isDryRun
        self.onlyOwn = onlyOwn
    }
}

extension CompensationProposeV1 {
    package init(
        proposalId: ProposalID,
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        productId: ProductID,
        quantity: Int,
        basis: CompensationBasis,
        reason: String,
        operatorId: OperatorID,
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.productId = productId
        self.quantity = quantity
        self.basis = basis
        self.reason = reason
        self.operatorId = operatorId
    }
}

extension CompensationV1 {
    package init(
        proposalId: ProposalID,
        state: State,
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        productId: ProductID,
        quantity: Int,
        basis: CompensationBasis,
        reason: String,
        proposedBy: OperatorID,
        proposedAt: Timestamp,
        confirmedBy: OperatorID? = nil,
        confirmedAt: Timestamp? = nil,
        endedAt: Timestamp? = nil,
        endedReason: String? = nil,
        purchaseId: PurchaseID? = nil,
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.state = state
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.productId = productId
        self.quantity = quantity
        self.basis = basis
        self.reason = reason
        self.proposedBy = proposedBy
        self.proposedAt = proposedAt
        self.confirmedBy = confirmedBy
        self.confirmedAt = confirmedAt
        self.endedAt = endedAt
        self.endedReason = endedReason
        self.purchaseId = purchaseId
    }
}

extension OperatorCount {
    package init(day: Int64, count: Int, isNew: Bool, _: Void = ()) {
        self.day = day
        self.count = count
        self.isNew = isNew
    }
}

extension OperatorCountV1 {
    package init(
        operatorId: OperatorID,
        actId: String,
        proposalId: ProposalID,
        limit: Int,
        attempt: EventID,
        isReturned: Bool? = nil,
        _: Void = ()
    ) {
        self.operatorId = operatorId
        self.actId = actId
        self.proposalId = proposalId
        self.limit = limit
        self.attempt = attempt
        self.isReturned = isReturned
    }
}

extension ReassignmentConfirmV1 {
    package init(proposalId: ProposalID, operatorId: OperatorID, _: Void = ()) {
        self.proposalId = proposalId
        self.operatorId = operatorId
    }
}

extension ReassignmentProposalV1 {
    package init(
        proposalId: ProposalID,
        bundleId: BundleID,
        environment: Environment,
        purchaseId: PurchaseID,
        productId: ProductID,
        quantity: Int,
        holderId: BuyerID,
        buyerId: BuyerID,
        reason: String,
        proposedBy: OperatorID,
        proposedAt: Timestamp,
        confirmedBy: OperatorID? = nil,
        confirmedAt: Timestamp? = nil,
        endedAt: Timestamp? = nil,
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.bundleId = bundleId
        self.environment = environment
        self.purchaseId = purchaseId
        self.productId = productId
        self.quantity = quantity
        self.holderId = holderId
        self.buyerId = buyerId
        self.reason = reason
        self.proposedBy = proposedBy
        self.proposedAt = proposedAt
        self.confirmedBy = confirmedBy
        self.confirmedAt = confirmedAt
        self.endedAt = endedAt
    }
}

extension ReassignmentProposeV1 {
    package init(
        proposalId: ProposalID,
        bundleId: BundleID,
        environment: Environment,
        purchaseId: PurchaseID,
        buyerId: BuyerID,
        reason: String,
        operatorId: OperatorID,
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.bundleId = bundleId
        self.environment = environment
        self.purchaseId = purchaseId
        self.buyerId = buyerId
        self.reason = reason
        self.operatorId = operatorId
    }
}

extension ReassignmentWithdrawV1 {
    package init(
        proposalId: ProposalID,
        reason: String,
        operatorId: OperatorID,
        onlyOwn: Bool? = nil,
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.reason = reason
        self.operatorId = operatorId
        self.onlyOwn = onlyOwn
    }
}
