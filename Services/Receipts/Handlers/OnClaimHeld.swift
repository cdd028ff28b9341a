import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.claim.held`: Orders says whose the transaction is, for ever.
struct OnClaimHeld {
    /// Version 1 answers a question of this store.
    func callAsFunction(_ message: Event<ClaimHeldV1>, in transaction: inout Transaction) throws -> Outcome {
        let answer = message.data
        let key = PurchaseKey(
            environment: answer.environment,
            bundleID: answer.bundleId,
            purchaseID: answer.purchaseId
        )
        let store = ClaimStore(connection: transaction.connection)
        guard var record = try store.record(key) else {
            return .parked(Claim.Refusal.unknownTransaction.reason)
        }
        let waiting = try store.waiters(record)
        transaction.keepAnswer(of: record)
        record.answered = ClaimRecord.Step(message, at: transaction.now)
        let holder = Claim.Holder(buyer: answer.buyerId, order: answer.orderId)
        var claim = ClaimRoad(record)
        return try claim.apply(.held(attempt: answer.attempt, by: holder, waiting: waiting), in: &transaction)
    }

    /// Version 2 is told again after a store was restored; a purchase that is not known here is held from the start.
    func callAsFunction(_ message: Event<ClaimHeldV2>, in transaction: inout Transaction) throws -> Outcome {
        var facts = message.data.transaction
        facts.purchaseId = try AliasStore(connection: transaction.connection).purchase(of: facts)
        let step = ClaimRecord.Step(message, at: transaction.now)
        let store = ClaimStore(connection: transaction.connection)
        var record = try store.record(PurchaseKey(facts)) ?? ClaimRecord(facts, step)
        let waiting = try store.waiters(record)
        if case .held = record.claim.state {
            transaction.keep(message, of: facts.purchaseId.rawValue)
        } else {
            transaction.keepAnswer(of: record)
            record.answered = step
        }
        let holder = Claim.Holder(buyer: message.data.buyerId, order: message.data.orderId)
        var claim = ClaimRoad(record, heard: SignedTransaction(facts))
        return try claim.apply(.recalled(Statement(facts), by: holder, waiting: waiting), in: &transaction)
    }
}
