/// Why a candidate does not own a transaction.
package enum ClaimRefusal: String, Codable, Sendable, CaseIterable {
    /// The app has no order with that id, and no buyer is registered for the token.
    case unknownOrder
    /// The order has another product or environment.
    case otherProduct
    /// The order was issued after the purchase.
    case issuedAfter
    /// Another transaction pays the order.
    case alreadyPaid
    /// A buyer is registered for the token and is the next candidate.
    case registered
}
