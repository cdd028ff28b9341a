import Contracts
import Delivery
import OrdersCore

extension HandlerContext {
    /// Answers Receipts about `transaction`, in the partition of its original transaction id.
    ///
    /// - Throws: `SendFault`.
    mutating func answer(_ answer: some Contract, about transaction: TransactionFacts) throws {
        let bundle = transaction.bundleId
        let original = transaction.originalTransactionId
        try send(
            answer,
            to: .receipts,
            shard: Shard(bundleID: bundle, originalTransactionID: original),
            subject: "\(bundle)/\(original)"
        )
    }

    /// Asks the buyer's ledger to follow a transaction.
    ///
    /// - Throws: `SendFault`.
    mutating func request(_ grant: GrantRequestedV1) throws {
        let bundle = grant.transaction.bundleId
        try send(
            grant,
            to: .entitlements,
            shard: Shard(bundleID: bundle, buyer: grant.buyerId),
            subject: "\(bundle)/\(grant.buyerId)"
        )
    }

    /// Has Apple asked for the account of a buyer, in the buyer's partition of Receipts.
    ///
    /// - Throws: `SendFault`.
    mutating func seek(_ payment: PaymentRecoveryV1) throws {
        try send(
            payment,
            to: .receipts,
            shard: Shard(bundleID: payment.bundleId, buyer: payment.buyerId),
            subject: "\(payment.bundleId)/\(payment.buyerId)"
        )
    }
}
