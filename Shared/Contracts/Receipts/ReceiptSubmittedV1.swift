/// What a partition did with a proof.
///
/// The gateway asks up to two partitions. A submission that names a transaction goes to the partition of that claim,
/// which stores the proof only if it is verified as that one transaction. One that names none goes to the buyer's
/// partition, which stores every other proof.
package enum ReceiptSubmittedV1: Hashable, Sendable {
    /// The proof is stored; its verdict is available under this id.
    case stored(ReceiptID)
    /// Nothing is stored beside the claim: the buyer's partition is asked next, by the same submission without the
    /// name.
    case askBuyersPartition
}

extension ReceiptSubmittedV1: Codable {
    private enum CodingKeys: String, CodingKey { case receiptId, next }

    /// Whom the gateway asks next.
    fileprivate enum Next: String, Codable, DirectlyCodedCase { case buyersPartition }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let receipt = try container.decodeIfPresent(ReceiptID.self, forKey: .receiptId) {
            self = .stored(receipt)
        } else {
            switch try container.decode(Next.self, forKey: .next) {
            case .buyersPartition: self = .askBuyersPartition
            }
        }
    }

    /// Encodes an object with one member, the receipt's id or who is asked next.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(receipt, forKey: .receiptId)
        try container.encodeIfPresent(next, forKey: .next)
    }

    fileprivate var receipt: ReceiptID? {
        guard case .stored(let receipt) = self else { return nil }
        return receipt
    }

    fileprivate var next: Next? { self == .askBuyersPartition ? .buyersPartition : nil }
}

extension ReceiptSubmittedV1: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        let receipt: ReceiptID? = try json.optional("receiptId", value?.receipt)
        let next: Next? = try json.optional("next", value?.next)
        try json.close()
        switch (receipt, next) {
        case (let receipt?, nil): self = .stored(receipt)
        case (nil, .buyersPartition?): self = .askBuyersPartition
        case (nil, nil), (_?, _?): throw NotDirect()
        }
    }
}
