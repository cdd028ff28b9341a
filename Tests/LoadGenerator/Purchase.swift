import Foundation

/// What a payment must come to.
struct PurchaseExpectation: Sendable {
    /// The one whose ledger it belongs into.
    let owner: Int32
    let product: UInt8
    var quantity: UInt8 = 1
    /// The order whose token or id it has; nil where it has one of its own that nobody placed.
    let order: UUID?
    /// The studio's number of that order.
    var reference: String?
    /// Whether other payments carry the token of the order, too: exactly one of them is for the order.
    var sharesToken = false
    /// When it gives nothing any more by itself, in ms since 1970; nil of what does not end.
    var ends: Int64?
    var isAcknowledged = false
}
