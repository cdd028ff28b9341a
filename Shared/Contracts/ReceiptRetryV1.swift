/// Sends a parked submission or an orphaned transaction on its way again.
///
/// - Sent by: operator
/// - Received by: receipts
package struct ReceiptRetryV1: Request, Hashable {
    package typealias Reply = ReceiptRetriedV1

    package static let type: EventType = "counterfoil.receipt.retry.v1"

    /// One submission; nil for all that are parked or orphaned in the partition.
    package var receiptId: ReceiptID?

    /// The message, with what it says.
    package init(receiptId: ReceiptID? = nil) {
        self.receiptId = receiptId
    }
}
