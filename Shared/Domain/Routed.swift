package import Contracts
import Foundation

/// A message whose receiver, partition and order follow from its type and data.
package protocol Routed: Contract {
    static var receiver: ServiceName { get }

    /// Decides which partition owns it; nil when any partition may be asked.
    var partitionKey: PartitionKey? { get }

    /// The ordering key: messages of one subject on one link are handled in turn.
    var subject: String { get }
}

extension Routed {
    package var subject: String { partitionKey?.subject ?? "-" }

    /// The owner when each service has `partitions` partitions; nil when any may be asked.
    package func owner(of partitions: Int) -> PartitionAddress? {
        partitionKey.map { PartitionAddress(Self.receiver, $0.shard.partition(of: partitions)) }
    }
}

// MARK: To Orders

extension OrderIssueV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension OrderGetV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { orderId.map(PartitionKey.order) }
}

extension OrderCloseV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { .order(orderId) }
}

extension TokenRegisterV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { UUID(uuidString: appAccountToken).map(PartitionKey.token) }
}

extension ClaimProposedV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { candidate.partitionKey(in: transaction.bundleId) }
}

extension ClaimCandidate {
    /// The partition where Orders judges the candidate; nil for a token that is no UUID.
    package func partitionKey(in bundle: BundleID) -> PartitionKey? {
        switch self {
        case .token(let token): UUID(uuidString: token).map(PartitionKey.token)
        case .order(let order): .order(order)
        case .registered(let buyer), .caller(let buyer): .buyer(buyer, of: bundle)
        }
    }
}

extension ClaimLookupV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { nil }
    package var subject: String { transaction.chainKey.subject }
}

extension GrantSettledV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { .order(orderId) }
    package var subject: String { PartitionKey.buyer(buyerId, of: bundleId).subject }
}

extension TransactionUpdatedV1: Routed {
    package static let receiver = ServiceName.orders
    package var partitionKey: PartitionKey? { .order(orderId) }
    package var subject: String { PartitionKey.buyer(buyerId, of: transaction.bundleId).subject }
}

// MARK: To Receipts

extension ReceiptSubmitV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension PaymentRecoveryV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension TransactionVerifiedV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { transaction.chainKey }
}

extension TransactionFoundV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { transaction.chainKey }
}

extension ClaimHeldV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .chain(originalTransactionId, of: bundleId) }
}

extension ClaimRedrivenV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { transaction.chainKey }
}

extension ClaimRefusedV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .chain(originalTransactionId, of: bundleId) }
}

extension ReceiptSettledV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .receipt(receiptId) }
}

extension NotificationHintV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .chain(originalTransactionId, of: bundleId) }
}

extension NotificationDeliverV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .notification(identifier) }
}

extension NotificationRecoveredV1: Routed {
    package static let receiver = ServiceName.receipts
    package var partitionKey: PartitionKey? { .notification(identifier) }
}

// MARK: To Entitlements

extension GrantRequestedV1: Routed {
    package static let receiver = ServiceName.entitlements
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: transaction.bundleId) }
}

extension EntitlementsGetV1: Routed {
    package static let receiver = ServiceName.entitlements
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension LedgerGetV1: Routed {
    package static let receiver = ServiceName.entitlements
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

// MARK: To Notifications

extension EntitlementChangedV1: Routed {
    package static let receiver = ServiceName.notifications
    package var partitionKey: PartitionKey? { .buyer(buyerId, of: bundleId) }
}

extension ReceiptAcceptedV1: Routed {
    package static let receiver = ServiceName.notifications
    package var partitionKey: PartitionKey? { .receipt(submission.receiptId) }
    package var subject: String { PartitionKey.buyer(submission.submitter, of: bundleId).subject }
}

extension ClaimConflictedV1: Routed {
    package static let receiver = ServiceName.notifications
    package var partitionKey: PartitionKey? { .receipt(submission.receiptId) }
    package var subject: String { PartitionKey.buyer(submission.submitter, of: bundleId).subject }
}

extension ReceiptExpiredV1: Routed {
    package static let receiver = ServiceName.notifications
    package var partitionKey: PartitionKey? { .receipt(receiptId) }
}

extension ReceiptPurgedV1: Routed {
    package static let receiver = ServiceName.notifications
    package var partitionKey: PartitionKey? { .receipt(receiptId) }
}

extension VerdictWaitV1: Routed {
    package static let receiver = ServiceName.notifications
    package var partitionKey: PartitionKey? { .receipt(receiptId) }
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
