import Contracts
import Delivery

/// `counterfoil.receipt.expired.v1`: Receipts gets a reply if every verdict on the receipt is final.
struct OnReceiptExpired {
    func callAsFunction(
        _ message: Event<ReceiptExpiredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let receipt = message.data
        let status = try VerdictStore(connection: context.connection).status(receipt.receiptId)
        guard status.isFinished(in: receipt.bundleId) else { return .applied }
        let finished = ReceiptFinishedV1(bundleId: receipt.bundleId, receiptId: receipt.receiptId)
        try context.send(finished, subject: message.subject)
        return .applied
    }
}
