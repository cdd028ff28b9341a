/// Every verdict on a receipt is final; not sent before.
///
/// - Sent by: notifications
/// - Received by: receipts (partition of the submitter)
package struct ReceiptFinishedV1: Contract, Hashable {
    package static let type: EventType = "counterfoil.receipt.finished.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID

    package init(bundleId: BundleID, receiptId: ReceiptID) {
        self.bundleId = bundleId
        self.receiptId = receiptId
    }
}

extension ReceiptFinishedV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        receiptId = try json.member("receiptId", value?.receiptId)
        try json.close()
    }
}
