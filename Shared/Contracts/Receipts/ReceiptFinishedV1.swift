/// Every verdict on a receipt is final; not sent before.
///
/// - Sent by: notifications
/// - Received by: receipts (partition of the submitter)
package struct ReceiptFinishedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.receipt.finished.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID
}
