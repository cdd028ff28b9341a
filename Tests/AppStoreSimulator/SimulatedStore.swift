import AppStoreSigning
import Contracts

/// The App Store as the simulator plays it: it sells, it refunds, and signs what it says.
struct SimulatedStore: Sendable {
    let signer: AppStoreSigner
    let register: SalesRegister
    let now: @Sendable () -> Timestamp

    /// Sells `count` times, and remembers each before it is told.
    func sell(_ purchase: SimulatedPurchase, count: Int) async throws -> [SoldTransaction] {
        let moment = now()
        let transactions = (0..<count).map { _ in purchase.transaction(at: moment) }
        try await register.add(transactions)
        return try transactions.map(sold)
    }

    /// Gives the money back; nil when no such transaction was sold here.
    func refund(_ transactionId: String, reason: Int) async throws -> SoldTransaction? {
        guard let transaction = try await register.latest(transactionId) else { return nil }
        let refund = transaction.refunded(at: now(), reason: reason)
        try await register.add([refund])
        return try sold(refund)
    }

    private func sold(_ transaction: SignedTransaction) throws -> SoldTransaction {
        SoldTransaction(
            transaction: transaction,
            signedTransaction: try signer.sign(transaction: transaction)
        )
    }
}

/// A transaction with its proof: Apple's fields, and beside them `signedTransaction`.
struct SoldTransaction: Encodable, Sendable {
    let transaction: SignedTransaction
    let signedTransaction: String

    private enum CodingKeys: String, CodingKey { case signedTransaction }

    func encode(to encoder: any Encoder) throws {
        try transaction.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(signedTransaction, forKey: .signedTransaction)
    }
}
