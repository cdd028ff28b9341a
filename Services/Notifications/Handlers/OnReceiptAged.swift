import Contracts
import Delivery
import NotificationsCore

/// `counterfoil.receipt.aged.v1`: Receipts is told if every verdict on the receipt is final.
struct OnReceiptAged {
    func callAsFunction(
        _ message: Event<ReceiptAgedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let receipt = message.data
        let (standing, bundle) = try VerdictStore(connection: context.connection)
            .standing(receipt.receiptId)
        guard bundle == receipt.bundleId, standing.answer.finish else { return .applied }
        try context.send(
            ReceiptSettledV1(bundleId: receipt.bundleId, receiptId: receipt.receiptId),
            subject: message.subject
        )
        return .applied
    }
}
