import Foundation

/// What a payment must come to.
struct PurchaseExpectation: Sendable {
    /// The one whose ledger it belongs into.
    let owner: Int32
    let product: UInt8
    var quantity: UInt8 = 1
    /// The order that was issued for it; nil of a renewal, which has one of its own that nobody placed.
    let order: UUID?
    /// The studio's number of that order.
    var reference: String?
    /// The other payment with the same token: exactly one of the two is for the order.
    var twin: UInt64?
    /// When it gives nothing any more by itself, in ms since 1970; nil of what does not end.
    var ends: Int64?
    var isAcknowledged = false
}
