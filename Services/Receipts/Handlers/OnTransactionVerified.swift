import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.transaction.verified.v1`: a genuine transaction meets its claim.
struct OnTransactionVerified {
    func callAsFunction(
        _ message: Event<TransactionVerifiedV1>,
        in transaction: inout Transaction
    ) throws -> Outcome {
        let signed = message.data.transaction
        guard let facts = TransactionFacts(signed) else { return .parked(ProofFailure.unreadable.rawValue) }
        let step = ClaimRecord.Step(message, at: transaction.now)
        let store = ClaimStore(connection: transaction.connection)
        var record = try store.record(TransactionKey(facts)) ?? ClaimRecord(facts, step)
        record.verified = step
        var claim = ClaimRoad(record, heard: signed)
        return try claim.apply(.verified(Statement(facts), message.data.submission), in: &transaction)
    }
}

extension ClaimRecord {
    /// The record of a transaction that was unknown until now.
    fileprivate init(_ facts: TransactionFacts, _ step: Step) {
        self.init(
            key: TransactionKey(facts),
            originalTransactionID: facts.originalTransactionId,
            claim: Claim(),
            verified: step,
            answered: nil,
            stored: nil
        )
    }
}
