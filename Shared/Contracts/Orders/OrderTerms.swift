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
