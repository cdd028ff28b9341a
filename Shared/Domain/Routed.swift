package import Contracts

/// A message whose receiver, partition and order follow from its data.
package protocol Routed: Contract {
    var route: Route { get }
}

// MARK: To Orders

extension OrderIssueV1: Routed {
    package var route: Route { Route(to: .orders, .buyer(buyerId, of: bundleId)) }
}

extension OrderGetV1: Routed {
    package var route: Route { Route(to: .orders, .order(orderId)) }
}

extension OrdersFindV1: Routed {
    package var route: Route { Route(to: .orders, nil) }
}

extension OrderCloseV1: Routed {
    package var route: Route { Route(to: .orders, .order(orderId)) }
}

extension OrderReportV1: Routed {
    package var route: Route { Route(to: .orders, .order(orderId)) }
}

extension OrderLogV1: Routed {
    package var route: Route { Route(to: .orders, .order(orderId)) }
}

extension OrdersListV1: Routed {
    package var route: Route { Route(to: .orders, .buyer(buyerId, of: bundleId)) }
}

extension TokenRegisterV1: Routed {
    package var route: Route { Route(to: .orders, UUIDText(appAccountToken).map(PartitionKey.token)) }
}

extension ClaimProposedV1: Routed {
    package var route: Route { Route(to: .orders, candidate.partitionKey(in: transaction.bundleId)) }
}

extension ClaimCandidate {
    /// The partition where Orders judges the candidate; nil for a token that is no UUID.
    package func partitionKey(in bundle: BundleID) -> PartitionKey? {
        switch self {
        case .token(let token): UUIDText(token).map(PartitionKey.token)
        case .order(let order): .order(order)
        case .registered(let buyer), .holder(let buyer), .caller(let buyer): .buyer(buyer, of: bundle)
        }
    }
}

extension ClaimLookupV1: Routed {
    package var route: Route { Route(to: .orders, nil, orderedBy: transaction.chainKey) }
}

extension ClaimChallengedV1: Routed {
    package var route: Route { Route(to: .orders, candidate.partitionKey(in: transaction.bundleId)) }
}

extension ClaimMovedV1: Routed {
    package var route: Route { Route(to: .orders, .buyer(buyerId, of: transaction.bundleId)) }
}

extension OrderReleasedV1: Routed {
    package var route: Route { Route(to: .orders, .order(orderId)) }
}

extension GrantRecordedV1: Routed {
    /// To the order's partition, in its buyer's order; the verdict does not wait for it.
    package var route: Route {
        Route(to: .orders, .order(orderId), orderedBy: .buyer(buyerId, of: bundleId), isUrgent: false)
    }
}

extension TransactionUpdatedV1: Routed {
    /// To the order's partition, in its buyer's order.
    package var route: Route {
        Route(to: .orders, .order(orderId), orderedBy: .buyer(buyerId, of: transaction.bundleId))
    }
}

// MARK: To Receipts

extension ReceiptSubmitV1: Routed {
    /// To the claim's partition if it may be known, so that both are one commit; else to the buyer's.
    package var route: Route {
        let chain = originalTransactionId.map { PartitionKey.chain($0, of: bundleId) }
        return Route(to: .receipts, chain ?? .buyer(buyerId, of: bundleId))
    }
}

extension PaymentLookupV1: Routed {
    package var route: Route { Route(to: .receipts, .buyer(buyerId, of: bundleId)) }
}

extension TransactionVerifiedV1: Routed {
    package var route: Route { Route(to: .receipts, transaction.chainKey) }
}

extension TransactionFoundV1: Routed {
    package var route: Route { Route(to: .receipts, transaction.chainKey) }
}

extension ClaimHeldV1: Routed {
    /// To the claim's partition; the goods do not wait for it.
    package var route: Route {
        Route(to: .receipts, .chain(originalTransactionId, of: bundleId), isUrgent: false)
    }
}

extension ClaimRedrivenV1: Routed {
    package var route: Route { Route(to: .receipts, transaction.chainKey) }
}

extension ClaimRefusedV1: Routed {
    package var route: Route { Route(to: .receipts, .chain(originalTransactionId, of: bundleId)) }
}

extension ChallengeAnsweredV1: Routed {
    package var route: Route { Route(to: .receipts, .chain(originalTransactionId, of: bundleId)) }
}

extension EvidenceCompletedV1: Routed {
    package var route: Route { Route(to: .receipts, .chain(originalTransactionId, of: bundleId)) }
}

extension NameClaimedV1: Routed {
    package var route: Route { Route(to: .receipts, .name(name, environment, of: bundleId)) }
}

extension NameHeldV1: Routed {
    /// To the claim's partition, in the name's order: what is delayed of the chain may wait for this.
    package var route: Route {
        let order = PartitionKey.name(name, environment, of: bundleId)
        return Route(to: .receipts, .chain(originalTransactionId, of: bundleId), orderedBy: order)
    }
}

extension PreviousChainAskedV1: Routed {
    /// To the chain that is asked, in the order of the one that asks: nothing delayed of the former may stop it.
    package var route: Route {
        let order = PartitionKey.chain(originalTransactionId, of: bundleId)
        return Route(to: .receipts, .chain(askedId, of: bundleId), orderedBy: order)
    }
}

extension PreviousChainAnsweredV1: Routed {
    /// To the chain that has asked, in the order of the other one: what is delayed of the former may wait for this.
    package var route: Route {
        let order = PartitionKey.chain(previousId, of: bundleId)
        return Route(to: .receipts, .chain(originalTransactionId, of: bundleId), orderedBy: order)
    }
}

extension TransferAnsweredV1: Routed {
    package var route: Route { Route(to: .receipts, transaction.chainKey) }
}

extension ReceiptFinishedV1: Routed {
    package var route: Route { Route(to: .receipts, .submission(receiptId)) }
}

extension ServerNotificationHintV1: Routed {
    package var route: Route { Route(to: .receipts, .chain(originalTransactionId, of: bundleId)) }
}

extension ServerNotificationDeliverV1: Routed {
    package var route: Route { Route(to: .receipts, .serverNotification(identifier)) }
}

extension ServerNotificationRecoveredV1: Routed {
    package var route: Route { Route(to: .receipts, .serverNotification(identifier)) }
}

extension ConsentLookupV1: Routed {
    /// To every partition, in the account's order; nobody waits for it.
    package var route: Route {
        Route(to: .receipts, nil, orderedBy: .account(appTransactionId, of: bundleId), isUrgent: false)
    }
}

extension ConsumptionReportedV1: Routed {
    /// To the claim's partition; Apple waits for hours.
    package var route: Route {
        Route(to: .receipts, .chain(originalTransactionId, of: bundleId), isUrgent: false)
    }
}

extension AppleOrderAskV1: Routed {
    package var route: Route { Route(to: .receipts, .appleOrder(appleOrderId, of: bundleId)) }
}

extension AppleOrderWantedV1: Routed {
    /// To the partition of Apple's order; whoever is compensated does not wait for it.
    package var route: Route {
        Route(to: .receipts, .appleOrder(appleOrderId, of: bundleId), isUrgent: false)
    }
}

extension CompensationChangedV1: Routed {
    /// To the orders of the same buyer; nobody waits for it.
    package var route: Route {
        Route(to: .orders, .buyer(compensation.buyerId, of: compensation.bundleId), isUrgent: false)
    }
}

// MARK: To Entitlements

extension AppleOrderNamedV1: Routed {
    package var route: Route { Route(to: .entitlements, .proposal(proposalId)) }
}

extension CompensationKeptV1: Routed {
    private var buyer: PartitionKey { .buyer(compensation.buyerId, of: compensation.bundleId) }
    package var route: Route { Route(to: .entitlements, buyer) }
}

extension ConsumptionRequestedV1: Routed {
    /// To the holder's ledger; Apple waits for hours.
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId), isUrgent: false) }
}

extension ConsentSetV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension CompensationProposeV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension CompensationDecideV1: Routed {
    package var route: Route { Route(to: .entitlements, .proposal(proposalId)) }
}

extension ReassignmentConfirmV1: Routed {
    package var route: Route { Route(to: .receipts, .proposal(proposalId)) }
}

extension ReassignmentWithdrawV1: Routed {
    package var route: Route { Route(to: .receipts, .proposal(proposalId)) }
}

extension GivenAmountsGetV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension AppleOrderReserveV1: Routed {
    package var route: Route { Route(to: .entitlements, .appleOrder(appleOrderId, of: bundleId)) }
}

extension OperatorCountV1: Routed {
    package var route: Route { Route(to: .entitlements, .operator(operatorId)) }
}

extension PurchaseReportedV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: transaction.bundleId)) }
}

extension TransferRequestedV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: transaction.bundleId)) }
}

extension SubscriptionUpdatedV1: Routed {
    /// No phone waits for it.
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId), isUrgent: false) }
}

extension SubscriptionsGetV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension EntitlementsGetV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension LedgerGetV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension WalletMoveV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

extension SpendReverseV1: Routed {
    package var route: Route { Route(to: .entitlements, .buyer(buyerId, of: bundleId)) }
}

// MARK: To Notifications

extension EntitlementChangedV1: Routed {
    package var route: Route { Route(to: .notifications, .buyer(buyerId, of: bundleId)) }
}

extension ReceiptAcceptedV1: Routed {
    /// Of a submission of one transaction, its verdict says as much as this message.
    package var route: Route {
        let isAwaited = submission.isOnly != true || transactions.contains { $0.verdict != .pending }
        return submission.route(in: bundleId, isUrgent: isAwaited)
    }
}

extension ClaimConflictedV1: Routed {
    package var route: Route { submission.route(in: bundleId) }
}

extension Submission {
    /// To the receipt's partition, in the submitter's order.
    fileprivate func route(in bundle: BundleID, isUrgent: Bool = true) -> Route {
        let order = PartitionKey.buyer(submitter, of: bundle)
        return Route(to: .notifications, .receipt(receiptId), orderedBy: order, isUrgent: isUrgent)
    }
}

extension ReceiptExpiredV1: Routed {
    package var route: Route { Route(to: .notifications, .receipt(receiptId)) }
}

extension ReceiptPurgedV1: Routed {
    package var route: Route { Route(to: .notifications, .receipt(receiptId)) }
}

extension VerdictWaitV1: Routed {
    package var route: Route { Route(to: .notifications, .receipt(receiptId)) }
}

extension SignedTransaction {
    /// Partition of the transaction's claim; nil when an id is invalid.
    fileprivate var chainKey: PartitionKey? {
        guard let bundle = BundleID(rawValue: bundleId),
            let original = TransactionID(rawValue: originalTransactionId)
        else { return nil }
        return .chain(original, of: bundle)
    }
}

extension TransactionFacts {
    package var chainKey: PartitionKey { .chain(originalTransactionId, of: bundleId) }
}

extension HoldingChangedV1: Routed {
    package var route: Route { Route(to: .notifications, .buyer(buyerId, of: bundleId)) }
}

extension ConsentRescindedV1: Routed {
    package var route: Route { Route(to: .notifications, .account(appTransactionId, of: bundleId)) }
}

extension ExternalPurchaseNotifiedV1: Routed {
    /// In the order of its token; no phone waits for it.
    package var route: Route {
        Route(to: .notifications, .externalPurchase(externalPurchaseId, of: bundleId), isUrgent: false)
    }
}
