/// Asks for the transactions of one order by the number on the buyer's e-mail; the sandbox has none.
package struct LookUpOrderID: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.orderLookUp

    package var orderId: String
    package var id: String { orderId }

    package init(_ orderId: String) { self.orderId = orderId }

    /// What was bought.
    package struct Response: Decodable, Hashable, Sendable {
        /// 0: an order of this app, 1: none.
        package var status: Int
        package var isValid: Bool { status == 0 }
        /// JWS, to be verified like any other; absent where the order is not valid.
        package var signedTransactions: [String]?
    }
}
