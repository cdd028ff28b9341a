package import Contracts
import Foundation

/// A message whose data says which partition it is for.
package protocol Partitioned {
    /// Where the message goes; nil when every partition may be asked, or its data names none.
    var partitionKey: PartitionKey? { get }
}

// MARK: Of a buyer

extension OrderIssueV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension ReceiptSubmitV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension PaymentRecoveryV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension GrantRequestedV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: transaction.bundleId) }
}

extension EntitlementsGetV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension LedgerGetV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension EntitlementChangedV1: Partitioned {
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

// MARK: Of an order, a token or a receipt

extension OrderGetV1: Partitioned {
    package var partitionKey: PartitionKey? { orderId.map(PartitionKey.order) }
}

extension OrderCloseV1: Partitioned {
    package var partitionKey: PartitionKey? { .order(orderId) }
}

extension GrantSettledV1: Partitioned {
    package var partitionKey: PartitionKey? {
        PartitionKey(shard: orderId.shard, buyer: buyerId, of: bundleId)
    }
}

extension TransactionRestatedV1: Partitioned {
    package var partitionKey: PartitionKey? {
        PartitionKey(shard: orderId.shard, buyer: buyerId, of: transaction.bundleId)
    }
}

extension TokenRegisterV1: Partitioned {
    package var partitionKey: PartitionKey? { UUID(uuidString: appAccountToken).map(PartitionKey.token) }
}

extension ClaimProposedV1: Partitioned {
    package var partitionKey: PartitionKey? { candidate.partitionKey(in: transaction.bundleId) }
}

extension ClaimCandidate {
    /// Where Orders judges the candidate; nil for a token that is no UUID.
    package func partitionKey(in bundle: BundleID) -> PartitionKey? {
        switch self {
        case .token(let token): UUID(uuidString: token).map(PartitionKey.token)
        case .order(let order): .order(order)
        case .registered(let buyer), .caller(let buyer): .buyer(buyer, of: bundle)
        }
    }
}

extension VerdictWaitV1: Partitioned {
    package var partitionKey: PartitionKey? { .receipt(receiptId) }
}

extension ReceiptAcceptedV1: Partitioned {
    package var partitionKey: PartitionKey? { submission.partitionKey(in: bundleId) }
}

extension TransactionJudgedV1: Partitioned {
    package var partitionKey: PartitionKey? { submission.partitionKey(in: bundleId) }
}

extension Submission {
    /// Where the verdict on the submission goes: the submitter's, whose shard the receipt's id carries.
    package func partitionKey(in bundle: BundleID) -> PartitionKey {
        PartitionKey(shard: receiptId.shard, buyer: submitter, of: bundle)
    }
}

// MARK: Of a chain of transactions, or a notification

extension TransactionVerifiedV1: Partitioned {
    package var partitionKey: PartitionKey? {
        guard let bundle = BundleID(rawValue: transaction.bundleId),
            let original = TransactionID(rawValue: transaction.originalTransactionId)
        else { return nil }
        return .chain(original, of: bundle)
    }
}

extension TransactionFacts {
    /// Where the claim of the transaction is.
    package var claimKey: PartitionKey { .chain(originalTransactionId, of: bundleId) }
}

extension ClaimHeldV1: Partitioned {
    package var partitionKey: PartitionKey? { .chain(originalTransactionId, of: bundleId) }
}

extension ClaimRedrivenV1: Partitioned {
    package var partitionKey: PartitionKey? { transaction.claimKey }
}

extension ClaimRefusedV1: Partitioned {
    package var partitionKey: PartitionKey? { .chain(originalTransactionId, of: bundleId) }
}

extension NotificationHintV1: Partitioned {
    package var partitionKey: PartitionKey? { .chain(originalTransactionId, of: bundleId) }
}

extension NotificationDeliverV1: Partitioned {
    package var partitionKey: PartitionKey? { .notification(identifier) }
}

extension NotificationRecoveredV1: Partitioned {
    package var partitionKey: PartitionKey? { .notification(identifier) }
}
