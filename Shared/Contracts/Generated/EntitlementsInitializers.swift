// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension AppleOrderNamedV1 {
    package init(
        proposalId: ProposalID,
        appleOrderId: AppleOrderID,
        transactionIds: [TransactionID],
        purchaseIds: [PurchaseID],
        _: Void = ()
    ) {
        self.proposalId = proposalId
        self.appleOrderId = appleOrderId
        self.transactionIds = transactionIds
        self.purchaseIds = purchaseIds
    }
}

extension CompensationKeptV1 {
    package init(compensation: CompensationV1, _: Void = ()) {
        self.compensation = compensation
    }
}

extension ConsentSetV1 {
    package init(bundleId: BundleID, buyerId: BuyerID, consumption: Bool, _: Void = ()) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.consumption = consumption
    }
}

extension ConsentV1 {
    package init(buyerId: BuyerID, consumption: Bool, _: Void = ()) {
        self.buyerId = buyerId
        self.consumption = consumption
    }
}

extension ConsumptionRequestedV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        purchaseId: PurchaseID,
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.purchaseId = purchaseId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
    }
}

extension EntitlementsGetV1 {
    package init(bundleId: BundleID, buyerId: BuyerID, environment: Environment, _: Void = ()) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
    }
}

extension EntitlementsV1 {
    package init(
        buyerId: BuyerID,
        environment: Environment,
        balances: [String: Int64],
        entitlements: [Possession],
        _: Void = ()
    ) {
        self.buyerId = buyerId
        self.environment = environment
        self.balances = balances
        self.entitlements = entitlements
    }
}

extension EntitlementsV1.Possession {
    package init(
        entitlement: String,
        productId: ProductID,
        since: Timestamp,
        expires: Timestamp? = nil,
        _: Void = ()
    ) {
        self.entitlement = entitlement
        self.productId = productId
        self.since = since
        self.expires = expires
    }
}

extension LedgerGetV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment? = nil,
        after: String? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.after = after
        self.limit = limit
    }
}

extension LedgerV1 {
    package init(entries: [LedgerEntry], next: String? = nil, _: Void = ()) {
        self.entries = entries
        self.next = next
    }
}

extension PurchaseReportedV1 {
    package init(
        buyerId: BuyerID,
        order: OrderTerms,
        transaction: TransactionFacts,
        submission: Submission? = nil,
        transfers: Int? = nil,
        evidence: HolderEvidence? = nil,
        _: Void = ()
    ) {
        self.buyerId = buyerId
        self.order = order
        self.transaction = transaction
        self.submission = submission
        self.transfers = transfers
        self.evidence = evidence
    }
}

extension RenewalFacts {
    package init(
        signedDate: Timestamp,
        autoRenewStatus: Int? = nil,
        autoRenewProductId: ProductID? = nil,
        isInBillingRetryPeriod: Bool? = nil,
        gracePeriodExpiresDate: Timestamp? = nil,
        expirationIntent: Int? = nil,
        renewalPrice: Int64? = nil,
        currency: String? = nil,
        priceIncreaseStatus: Int? = nil,
        _: Void = ()
    ) {
        self.signedDate = signedDate
        self.autoRenewStatus = autoRenewStatus
        self.autoRenewProductId = autoRenewProductId
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
        self.expirationIntent = expirationIntent
        self.renewalPrice = renewalPrice
        self.currency = currency
        self.priceIncreaseStatus = priceIncreaseStatus
    }
}

extension SpendReverseV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        entryId: String,
        idempotencyKey: String,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.entryId = entryId
        self.idempotencyKey = idempotencyKey
    }
}

extension SubscriptionUpdatedV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        originalTransactionId: TransactionID,
        renewal: RenewalFacts? = nil,
        successor: Successor? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.originalTransactionId = originalTransactionId
        self.renewal = renewal
        self.successor = successor
    }
}

extension SubscriptionUpdatedV1.Successor {
    package init(purchaseId: PurchaseID, purchaseDate: Timestamp, _: Void = ()) {
        self.purchaseId = purchaseId
        self.purchaseDate = purchaseDate
    }
}

extension SubscriptionsGetV1 {
    package init(bundleId: BundleID, buyerId: BuyerID, environment: Environment, _: Void = ()) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
    }
}

extension SubscriptionsV1 {
    package init(subscriptions: [Subscription], _: Void = ()) {
        self.subscriptions = subscriptions
    }
}

extension SubscriptionsV1.Subscription.Offer {
    package init(type: Int, identifier: String? = nil, discountType: String? = nil, _: Void = ()) {
        self.type = type
        self.identifier = identifier
        self.discountType = discountType
    }
}

extension SubscriptionsV1.Subscription.Seats {
    package init(
        quantity: Int,
        revoked: Int? = nil,
        price: Int64? = nil,
        currency: String? = nil,
        _: Void = ()
    ) {
        self.quantity = quantity
        self.revoked = revoked
        self.price = price
        self.currency = currency
    }
}

extension TransferRequestedV1 {
    package init(
        transaction: TransactionFacts,
        orderId: OrderID,
        buyerId: BuyerID,
        toBuyerId: BuyerID,
        transfer: Int,
        isAnswered: Bool,
        cause: TransferCause = .restore,
        _: Void = ()
    ) {
        self.transaction = transaction
        self.orderId = orderId
        self.buyerId = buyerId
        self.toBuyerId = toBuyerId
        self.transfer = transfer
        self.isAnswered = isAnswered
        self.cause = cause
    }
}

extension WalletEntryV1 {
    package init(entryId: String, balance: Int64, _: Void = ()) {
        self.entryId = entryId
        self.balance = balance
    }
}

extension WalletMoveV1 {
    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        environment: Environment,
        kind: Kind,
        entitlement: String,
        amount: Int64,
        idempotencyKey: String,
        reason: String? = nil,
        metadata: [String: JSONValue]? = nil,
        _: Void = ()
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.environment = environment
        self.kind = kind
        self.entitlement = entitlement
        self.amount = amount
        self.idempotencyKey = idempotencyKey
        self.reason = reason
        self.metadata = metadata
    }
}
