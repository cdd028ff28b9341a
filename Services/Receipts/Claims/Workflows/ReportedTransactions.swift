import Contracts
import Delivery

/// What Apple tells without a submission, on its way to its claims; what proofs state goes by `SubmissionParts`.
struct ReportedTransactions {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Sends one, with what the notification that brought it says besides.
    func send(_ signed: SignedTransaction, with notification: ServerNotification? = nil) throws {
        let asksConsumption = notification?.kind == .consumptionAsked
        try context.send(
            TransactionVerifiedV1(
                transaction: signed,
                renewal: notification?.renewal,
                status: notification?.status,
                consumptionAskedAt: asksConsumption ? notification?.signedDate : nil
            )
        )
    }

    /// Sends how Apple says that a subscription stands; without its status, which would have Apple asked again.
    func send(_ status: FoundStatus) throws {
        try context.send(TransactionVerifiedV1(transaction: status.transaction, renewal: status.renewal))
    }
}
