/// Why a candidate does not own a transaction.
package enum ClaimRefusal: String, Codable, Sendable, CaseIterable {
    /// No order of this app has that id, and nobody is registered for the token.
    case unknownOrder
    /// The order is for another product or environment.
    case otherProduct
    /// The order is paid by another transaction.
    case alreadyPaid
    /// The token is registered for a buyer, who is to be asked next.
    case registered
}
