/// What travels of an order with its goods: its id and what the studio attached to it.
package struct OrderTerms: Codable, Hashable, Sendable {
    package var orderId: OrderID
    /// The studio's own order number.
    package var reference: String?
    /// What the studio wants back, a JSON object of 2 KiB at most.
    package var metadata: [String: JSONValue]?
    /// Whether the payment came after the order had been closed.
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
