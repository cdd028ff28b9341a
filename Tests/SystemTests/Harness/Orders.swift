import Contracts
import Foundation
import TestKit

/// The answer to what a phone reports of an order.
struct ReportAnswer: Decodable {
    let order: OrderV1
    let message: String
}

/// Why a second order is refused, and the order that is open.
struct OpenOrderAnswer: Decodable {
    let code: String
    let order: OrderV1?
}

extension GatewayClient {
    /// Places an order.
    func place(_ buyer: String, product: String = TestHome.coins) async throws -> OrderV1 {
        let key = UUID().uuidString
        return try await retry("order") { try await issue(buyer, product: product, key: key) }.json()
    }

    /// An order as it is now.
    func order(by id: OrderID) async throws -> OrderV1 {
        try await retry("order") { try await get("/v1/orders/\(id.rawValue)") }.json()
    }

    /// Waits until an order is in this state.
    @discardableResult
    func order(
        by id: OrderID,
        until state: OrderV1.State,
        within limit: Duration = .seconds(40)
    ) async throws -> OrderV1 {
        var last = ""
        return try await eventually("\(id) is \(state)", within: limit, detail: { last }) {
            let now = try await order(by: id)
            last = now.state.rawValue
            return now.state == state ? now : nil
        }
    }

    /// A page of a buyer's orders.
    func orders(of buyer: String, _ query: String = "") async throws -> OrdersV1 {
        try await retry("orders") { try await get("/v1/buyers/\(buyer)/orders?\(query)") }.json()
    }

    /// What comes of a phone's report of an order, in a language.
    func reported(_ id: OrderID, _ body: String, in language: String) async throws -> ReportAnswer {
        try await retry("report") { try await report(id.rawValue, body, language: language) }.json()
    }
}
