/// Order data sent with the goods: its id and the studio's attachments.
package struct OrderTerms: Codable, Hashable, Sendable, DirectlyCoded {
    package var orderId: OrderID
    package var reference: String? = nil
    /// The studio's data, a JSON object of 2 KiB at most.
    package var metadata: [String: JSONValue]? = nil
    /// `phone` where the metadata is a phone's, so that nobody may trust it.
    package var issuedBy: OrderV1.Issuer? = nil
    /// Whether the order was closed before the payment.
    package var late: Bool? = nil
}
