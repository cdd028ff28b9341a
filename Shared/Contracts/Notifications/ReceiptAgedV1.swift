/// The text of a proof is old: it goes once every verdict on the receipt is final.
///
/// - Sent by: receipts
/// - Received by: notifications (partition of the submitter)
package struct ReceiptAgedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.aged.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID

    package init(bundleId: BundleID, receiptId: ReceiptID) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}
