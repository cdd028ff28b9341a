/// The proof is stored; its verdict is available under this id.
package struct ReceiptSubmittedV1: Codable, Hashable, Sendable {
    package var receiptId: ReceiptID

    package init(receiptId: ReceiptID) { self.receiptId = receiptId }
}

extension ReceiptSubmittedV1: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        receiptId = try json.member("receiptId", value?.receiptId)
        try json.close()
    }
}
