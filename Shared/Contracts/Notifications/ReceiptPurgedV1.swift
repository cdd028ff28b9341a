/// A proof that was no payment was deleted; its verdict is deleted too.
///
/// - Sent by: receipts
/// - Received by: notifications (partition of the submitter)
package struct ReceiptPurgedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.purged.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID
}
