/// A proof that was no payment was deleted, and its verdict goes with it.
///
/// - Sent by: receipts
/// - Received by: notifications (partition of the submitter)
package struct ReceiptPurgedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.purged.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID

    package init(bundleId: BundleID, receiptId: ReceiptID) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}
