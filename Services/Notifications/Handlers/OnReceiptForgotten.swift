import Contracts
import Delivery
import NotificationsCore

/// `counterfoil.receipt.forgotten.v1`: the verdict `invalid` leaves with its proof; any other stays.
struct OnReceiptForgotten {
    func callAsFunction(
        _ message: Event<ReceiptForgottenV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let store = VerdictStore(connection: context.connection)
        let (standing, bundle) = try store.standing(message.data.receiptId)
        guard bundle == message.data.bundleId, standing.whole?.verdict == .invalid,
            standing.transactions.isEmpty
        else { return .applied }
        try store.forget(message.data.receiptId)
        return .applied
    }
}
