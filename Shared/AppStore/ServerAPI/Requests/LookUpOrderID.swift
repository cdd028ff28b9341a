/// Asks for an order's transactions by the number on the buyer's e-mail; the sandbox has none.
package struct LookUpOrderID: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.orderLookUp

    package var orderId: String
    package var id: String { orderId }

    package init(_ orderId: String) { self.orderId = orderId }

    /// The transactions of an order.
    package struct Response: Decodable, Hashable, Sendable {
        /// 0: an order of this app, 1: none.
        package var status: Int
        package var isValid: Bool { status == 0 }
        /// JWS, still to be verified; absent for an invalid order.
        package var signedTransactions: [String]?
    }
}
