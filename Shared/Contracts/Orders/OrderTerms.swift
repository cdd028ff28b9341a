/// Order data sent with the goods: its id and the studio's attachments.
package struct OrderTerms: Codable, Hashable, Sendable {
    package var orderId: OrderID
    package var reference: String?
    /// The studio's data, a JSON object of 2 KiB at most.
    package var metadata: [String: JSONValue]?
    /// Whether the order was closed before the payment.
    package var late: Bool?

    package init(
        orderId: OrderID,
        reference: String? = nil,
        metadata: [String: JSONValue]? = nil,
        late: Bool? = nil
    ) {
        self.orderId = orderId
        self.reference = reference
        self.metadata = metadata
        self.late = late
    }
}

extension OrderTerms: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        orderId = try json.member("orderId", value?.orderId)
        reference = try json.optional("reference", value?.reference)
        metadata = try json.optional("metadata", value?.metadata)
        late = try json.optional("late", value?.late)
        try json.close()
    }
}
