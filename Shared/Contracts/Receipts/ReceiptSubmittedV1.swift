package import JSON

/// What a partition did with a proof.
package struct ReceiptSubmittedV1: Codable, Hashable, Sendable {
    /// The proof is stored; its verdict is available under this id.
    ///
    /// Nil if nothing was stored, as the proof is not the one verified transaction that the request named: without
    /// that name it goes to the buyer's partition.
    package var receiptId: ReceiptID?

    package init(receiptId: ReceiptID?) { self.receiptId = receiptId }
}

extension ReceiptSubmittedV1: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        receiptId = try json.optional("receiptId", value?.receiptId)
        try json.close()
    }
}
