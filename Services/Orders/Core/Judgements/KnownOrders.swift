import Contracts

/// What Orders' store knows about a proposed claim.
struct KnownOrders: Equatable, Sendable {
    /// The order that this purchase pays already.
    var payer: Order?
    /// The order that the candidate names, or the candidate's oldest open order for the product.
    var named: Order?
    var tokenOwner: BuyerID?
    /// Units of the named order's product that its buyer has paid for; read only if the order has a limit.
    var paidUnits = 0
    /// The order that the token of a sandbox payment names; read only if this store has lost the payment's own.
    var tokenOrder: Order?
}
