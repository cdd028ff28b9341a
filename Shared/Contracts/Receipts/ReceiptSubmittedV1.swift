/// The proof is stored; its verdict is available under this id.
package struct ReceiptSubmittedV1: Codable, Hashable, Sendable {
    package var receiptId: ReceiptID

    package init(receiptId: ReceiptID) { self.receiptId = receiptId }
}
