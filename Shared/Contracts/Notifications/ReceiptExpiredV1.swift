/// A proof's retention period is over: its text is deleted once every verdict on the receipt is final.
///
/// - Sent by: receipts
/// - Received by: notifications (partition of the submitter)
package struct ReceiptExpiredV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.expired.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID
}
