/// A purchase that a buyer began, kept before any money moves: its proof may come days later, even of a cancelled one.
public struct KeptPurchase: Codable, Equatable, Sendable {
    /// What StoreKit has said: nothing, that it has to be approved first, or that it is cancelled or has failed.
    public enum State: String, Codable, Sendable { case begun, deferred, unpaid }

    /// Goes to StoreKit as `appAccountToken`: the order's id, else a UUID of the phone's own, in lower case.
    public let token: String
    /// What is bought.
    public let productID: String
    /// Who began it.
    public let buyer: String
    /// Absent if no order could be made: the gateway makes one then.
    public internal(set) var orderID: String?
    /// Milliseconds since 1970.
    public let startedAt: Int64
    /// What StoreKit has said last.
    public internal(set) var state = State.begun

    /// One that begins: with an order's id, or else with a new UUID.
    init(_ orderID: String?, or uuid: String, of productID: String, buyer: String, startedAt: Int64) {
        (token, self.orderID, self.productID) = (orderID ?? uuid, orderID, productID)
        (self.buyer, self.startedAt) = (buyer, startedAt)
    }
}
