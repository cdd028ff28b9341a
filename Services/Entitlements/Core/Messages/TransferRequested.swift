import Contracts

extension TransferRequestedV1 {
    /// Takes a purchase from a buyer in whose restored ledger it still is, for its payer.
    init(_ request: PurchaseReportedV1, of other: Grant, for order: OrderTerms) {
        self.init(
            transaction: request.transaction,
            orderId: order.orderId,
            buyerId: other.buyerId,
            toBuyerId: request.buyerId,
            transfer: request.transfers ?? 0,
            isAnswered: true,
            cause: .reassign
        )
    }
}
