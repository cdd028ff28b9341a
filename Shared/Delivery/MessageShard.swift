package import Contracts
import Foundation

/// A message whose key of partition stands in its data, so that an owner can tell that it is not for it.
package protocol Sharded {
    /// The shard that owns the message; nil when every partition may be asked.
    var shard: Shard? { get }
}

// MARK: Of a buyer

extension OrderIssueV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, buyer: buyerId) }
}

extension ReceiptSubmitV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, buyer: buyerId) }
}

extension PaymentRecoveryV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, buyer: buyerId) }
}

extension GrantRequestedV1: Sharded {
    package var shard: Shard? { Shard(bundleID: transaction.bundleId, buyer: buyerId) }
}

extension EntitlementsGetV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, buyer: buyerId) }
}

extension LedgerGetV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, buyer: buyerId) }
}

extension EntitlementChangedV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, buyer: buyerId) }
}

// MARK: Of an order, a token or a receipt

extension OrderGetV1: Sharded {
    package var shard: Shard? { orderId?.shard }
}

extension OrderCloseV1: Sharded {
    package var shard: Shard? { orderId.shard }
}

extension GrantSettledV1: Sharded {
    package var shard: Shard? { orderId.shard }
}

extension TransactionRestatedV1: Sharded {
    package var shard: Shard? { orderId.shard }
}

extension TokenRegisterV1: Sharded {
    package var shard: Shard? { UUID(uuidString: appAccountToken).map(Shard.init(appAccountToken:)) }
}

extension ClaimProposedV1: Sharded {
    /// That of whoever judges the candidate.
    package var shard: Shard? {
        switch candidate {
        case .token(let token): UUID(uuidString: token).map(Shard.init(appAccountToken:))
        case .order(let order): order.shard
        case .registered(let buyer), .caller(let buyer):
            Shard(bundleID: transaction.bundleId, buyer: buyer)
        }
    }
}

extension VerdictWaitV1: Sharded {
    package var shard: Shard? { receiptId.shard }
}

extension ReceiptAcceptedV1: Sharded {
    package var shard: Shard? { submission.receiptId.shard }
}

extension TransactionJudgedV1: Sharded {
    package var shard: Shard? { submission.receiptId.shard }
}

// MARK: Of a chain of transactions, or a notification

extension TransactionVerifiedV1: Sharded {
    /// That of the chain.
    package var shard: Shard? {
        guard let bundle = BundleID(rawValue: transaction.bundleId),
            let original = TransactionID(rawValue: transaction.originalTransactionId)
        else { return nil }
        return Shard(bundleID: bundle, originalTransactionID: original)
    }
}

extension ClaimHeldV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, originalTransactionID: originalTransactionId) }
}

extension ClaimRedrivenV1: Sharded {
    /// That of the chain.
    package var shard: Shard? {
        Shard(bundleID: transaction.bundleId, originalTransactionID: transaction.originalTransactionId)
    }
}

extension ClaimRefusedV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, originalTransactionID: originalTransactionId) }
}

extension NotificationHintV1: Sharded {
    package var shard: Shard? { Shard(bundleID: bundleId, originalTransactionID: originalTransactionId) }
}

extension NotificationDeliverV1: Sharded {
    package var shard: Shard? { Shard(notification: identifier) }
}

extension NotificationRecoveredV1: Sharded {
    package var shard: Shard? { Shard(notification: identifier) }
}
