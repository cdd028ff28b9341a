/// What a payment must come to.
struct PurchaseExpectation: Sendable {
    /// The one whose ledger it belongs into.
    let owner: Int32
    let product: UInt8
    var quantity: UInt8 = 1
    /// The order that it names.
    let names: NamedOrder
    /// When it gives nothing any more by itself, in ms since 1970; nil of what does not end.
    var ends: Int64?
    var isAcknowledged = false
}
