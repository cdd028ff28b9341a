// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension ClaimConflictedV1 {
    package init(
        bundleId: BundleID,
        submission: Submission,
        transaction: TransactionVerdict,
        transfers: Int? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.submission = submission
        self.transaction = transaction
        self.transfers = transfers
    }
}

extension ConsentRescindedV1 {
    package init(
        bundleId: BundleID,
        environment: Environment,
        appTransactionId: String,
        rescindedAt: Timestamp,
        buyerIds: [BuyerID],
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.appTransactionId = appTransactionId
        self.rescindedAt = rescindedAt
        self.buyerIds = buyerIds
    }
}

extension ExternalPurchaseNotifiedV1 {
    package init(
        bundleId: BundleID,
        environment: Environment,
        notificationUUID: String,
        notifiedAt: Timestamp,
        subtype: String? = nil,
        externalPurchaseId: String,
        tokenType: String? = nil,
        tokenCreationDate: Timestamp? = nil,
        tokenExpirationDate: Timestamp? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.notificationUUID = notificationUUID
        self.notifiedAt = notifiedAt
        self.subtype = subtype
        self.externalPurchaseId = externalPurchaseId
        self.tokenType = tokenType
        self.tokenCreationDate = tokenCreationDate
        self.tokenExpirationDate = tokenExpirationDate
    }
}

extension HoldingChangedV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        entitlement: String,
        held: Bool,
        expires: Timestamp? = nil,
        reason: Reason,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.entitlement = entitlement
        self.held = held
        self.expires = expires
        self.reason = reason
    }
}

extension ReceiptAcceptedV1 {
    package init(
        bundleId: BundleID,
        submission: Submission,
        transactions: [TransactionVerdict],
        offset: Int? = nil,
        applicationVersion: String? = nil,
        verdict: Verdict? = nil,
        reason: String? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.submission = submission
        self.transactions = transactions
        self.offset = offset
        self.applicationVersion = applicationVersion
        self.verdict = verdict
        self.reason = reason
    }
}

extension ReceiptExpiredV1 {
    package init(bundleId: BundleID, receiptId: ReceiptID, _: Void = ()) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}

extension ReceiptPurgedV1 {
    package init(bundleId: BundleID, receiptId: ReceiptID, _: Void = ()) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}

extension TransactionVerdict {
    package init(
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        productId: ProductID,
        quantity: Int,
        environment: Environment,
        orderId: OrderID? = nil,
        verdict: Verdict,
        grantedAt: Timestamp? = nil,
        reason: String? = nil,
        _: Void = ()
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.orderId = orderId
        self.verdict = verdict
        self.grantedAt = grantedAt
        self.reason = reason
    }
}

extension VerdictWaitV1 {
    package init(
        bundleId: BundleID,
        receiptId: ReceiptID,
        wait: Int,
        restores: Bool? = nil,
        buyerId: BuyerID? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.receiptId = receiptId
        self.wait = wait
        self.restores = restores
        self.buyerId = buyerId
    }
}
