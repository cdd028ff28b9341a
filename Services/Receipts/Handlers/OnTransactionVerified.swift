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
        let known = try store.record(TransactionKey(facts))
        if known != nil { transaction.keep(message, of: facts.transactionId.rawValue) }
        var claim = ClaimRoad(known ?? ClaimRecord(facts, step), heard: signed)
        return try claim.apply(.verified(Statement(facts), message.data.submission), in: &transaction)
    }
}
