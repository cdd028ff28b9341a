/// What the gateway says to a request for an order.
public enum OrderAnswer: Equatable, Sendable {
    /// The id, a UUID in lower case, goes to StoreKit as `appAccountToken`.
    case issued(orderID: String)
    /// The buyer has an open order of this product, in this state.
    case open(orderID: String, state: String)
    /// The gateway forbids to pay; a stable word such as `limitReached`, and why, in English, if it says so.
    case refused(code: String, detail: String? = nil)
    /// The gateway could not be asked, or is busy.
    case unreachable
}
