import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.claim.held.v1`: Orders says whose the transaction is, for ever.
struct OnClaimHeld {
    func callAsFunction(_ message: Event<ClaimHeldV1>, in transaction: inout Transaction) throws -> Outcome {
        let answer = message.data
        let key = TransactionKey(
            environment: answer.environment,
            bundleID: answer.bundleId,
            transactionID: answer.transactionId
        )
        let store = ClaimStore(connection: transaction.connection)
        guard var record = try store.record(key) else {
            return .parked(Claim.Refusal.unknownTransaction.reason)
        }
        let waiting = try store.waiters(record)
        record.answered = ClaimRecord.Step(message, at: transaction.now)
        let holder = Claim.Holder(buyer: answer.buyerId, order: answer.orderId)
        var claim = ClaimRoad(record)
        return try claim.apply(.held(attempt: answer.attempt, by: holder, waiting: waiting), in: &transaction)
    }
}
