/// The proof is kept; its verdict can be asked for under this id.
package struct ReceiptSubmittedV1: Codable, Hashable, Sendable {
    package var receiptId: ReceiptID

    package init(receiptId: ReceiptID) { self.receiptId = receiptId }
}
