/// A proof that was no payment has left: its verdict is not kept any longer than the proof.
///
/// - Sent by: receipts
/// - Received by: notifications (partition of the submitter)
package struct ReceiptForgottenV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.forgotten.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID

    package init(bundleId: BundleID, receiptId: ReceiptID) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}
