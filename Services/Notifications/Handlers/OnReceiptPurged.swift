import Contracts
import Delivery

/// `counterfoil.receipt.purged.v1`: the verdict `invalid` is deleted with its proof; any other is not.
struct OnReceiptPurged {
    func callAsFunction(_ message: Event<ReceiptPurgedV1>, in context: HandlerContext) throws -> Outcome {
        let store = VerdictStore(connection: context.connection)
        let status = try store.status(message.data.receiptId)
        if status.isPurgeable(in: message.data.bundleId) { try store.delete(status.receiptId) }
        return .applied
    }
}
