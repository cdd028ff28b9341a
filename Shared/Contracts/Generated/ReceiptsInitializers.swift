// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension AppleOrderWantedV1 {
    package init(proposalId: ProposalID, bundleId: BundleID, appleOrderId: AppleOrderID, _: Void = ()) {
        self.proposalId = proposalId
        self.bundleId = bundleId
        self.appleOrderId = appleOrderId
    }
}

extension ClaimRedrivenV1 {
    package init(
        attempt: Int,
        transaction: TransactionFacts,
        buyerId: BuyerID,
        orderId: OrderID,
        evidence: HolderEvidence,
        transferred: Transferred? = nil,
        _: Void = ()
    ) {
        self.attempt = attempt
        self.transaction = transaction
        self.buyerId = buyerId
        self.orderId = orderId
        self.evidence = evidence
        self.transferred = transferred
    }
}

extension ConsentLookupV1 {
    package init(
        notificationUUID: String,
        bundleId: BundleID,
        environment: Environment,
        appTransactionId: String,
        rescindedAt: Timestamp,
        isAlwaysTold: Bool,
        _: Void = ()
    ) {
        self.notificationUUID = notificationUUID
        self.bundleId = bundleId
        self.environment = environment
        self.appTransactionId = appTransactionId
        self.rescindedAt = rescindedAt
        self.isAlwaysTold = isAlwaysTold
    }
}

extension NameClaimedV1 {
    package init(
        environment: Environment,
        bundleId: BundleID,
        name: PurchaseName,
        originalTransactionId: TransactionID,
        purchaseId: PurchaseID,
        _: Void = ()
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.name = name
        self.originalTransactionId = originalTransactionId
        self.purchaseId = purchaseId
    }
}

extension PaymentLookupV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        transactionId: TransactionID,
        since: Timestamp,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.transactionId = transactionId
        self.since = since
    }
}

extension ReceiptFinishedV1 {
    package init(bundleId: BundleID, receiptId: ReceiptID, _: Void = ()) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}

extension ReceiptSubmitV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        orderId: String? = nil,
        kind: ProofKind,
        proof: String,
        deviceId: String? = nil,
        originalTransactionId: TransactionID? = nil,
        intent: Submission.Intent? = nil,
        purchasedBy: BuyerID? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.orderId = orderId
        self.kind = kind
        self.proof = proof
        self.deviceId = deviceId
        self.originalTransactionId = originalTransactionId
        self.intent = intent
        self.purchasedBy = purchasedBy
    }
}

extension TransactionFoundV1 {
    package init(
        reconciliationId: EventID,
        transaction: SignedTransaction,
        serverNotification: ServerNotificationRecoveredV1? = nil,
        action: Action,
        aliases: [TransactionID]? = nil,
        _: Void = ()
    ) {
        self.reconciliationId = reconciliationId
        self.transaction = transaction
        self.serverNotification = serverNotification
        self.action = action
        self.aliases = aliases
    }
}

extension TransactionVerifiedV1 {
    package init(
        transaction: SignedTransaction,
        submission: Submission? = nil,
        renewal: RenewalFacts? = nil,
        status: Int? = nil,
        consumptionAskedAt: Timestamp? = nil,
        inquiry: HistoryInquiry? = nil,
        aliases: [TransactionID]? = nil,
        _: Void = ()
    ) {
        self.transaction = transaction
        self.submission = submission
        self.renewal = renewal
        self.status = status
        self.consumptionAskedAt = consumptionAskedAt
        self.inquiry = inquiry
        self.aliases = aliases
    }
}
