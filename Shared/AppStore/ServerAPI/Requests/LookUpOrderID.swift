/// Asks for the transactions of one order by the number on the buyer's e-mail; the sandbox has none.
package struct LookUpOrderID: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.orderLookUp
    package var orderId: String
    package var id: String { orderId }

    package init(_ orderId: String) { self.orderId = orderId }

    /// Whether there is such an order, and what was bought.
    package struct Answer: Decodable, Hashable, Sendable {
        package var status: Status
        /// JWS, to be verified like any other; absent where the order is not valid.
        package var signedTransactions: [String]?
    }

    /// Whether the number is an order of this app; its own number is kept, known or not.
    package struct Status: RawRepresentable, Decodable, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// An order of this app.
        package static let valid = Status(rawValue: 0)
        /// None.
        package static let invalid = Status(rawValue: 1)
    }
}
