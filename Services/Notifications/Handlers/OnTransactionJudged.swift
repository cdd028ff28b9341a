import Contracts
import Delivery
import NotificationsCore

/// `counterfoil.transaction.judged.v1`: the claim alone decided one transaction of a submission.
struct OnTransactionJudged {
    func callAsFunction(
        _ message: Event<TransactionJudgedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        try context.take(
            VerdictLine(message.data.transaction),
            of: message.data.submission.receiptId,
            from: Origin(message, at: context.now)
        )
        return .applied
    }
}
