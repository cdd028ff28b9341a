import Contracts
import Delivery
import NotificationsCore

/// `counterfoil.transaction.judged.v1`: the claim alone decided one transaction of a submission.
struct OnTransactionJudged {
    func callAsFunction(
        _ message: Event<TransactionJudgedV1>,
        in transaction: inout Transaction
    ) throws -> Outcome {
        try transaction.take(
            VerdictLine(message.data.transaction),
            of: message.data.submission.receiptId,
            from: Origin(message, at: transaction.now)
        )
        return .applied
    }
}
