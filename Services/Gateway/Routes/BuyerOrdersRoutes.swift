import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/buyers/{buyerId}/orders`: a buyer's orders, newest first.
struct BuyerOrdersRoutes: Sendable {
    /// Orders per page unless the request sets a limit.
    static let standardLimit = 50
    /// The word for all states in which money or goods are awaited.
    static let open = "open"
    /// The word for all origins, renewals included.
    static let all = "all"

    let gateway: GatewayContext

    var routes: [Route] { [gateway.forward(.get, "/v1/buyers/{buyerId}/orders", for: .phones, list)] }

    @Sendable private func list(_ request: AppRequest) throws -> OrdersListV1 {
        OrdersListV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment() ?? .production,
            states: try states(request.query("state")),
            productId: try request.query("productId").map(Field.product),
            origins: try origins(request.query("origin")),
            after: try request.query("after").map { try Field.identifier($0, "after", "the id of an order") },
            limit: try request.query("limit", default: Self.standardLimit, in: Limits.ordersOfPage)
        )
    }

    private func states(_ text: String?) throws(Problem) -> [OrderV1.State]? {
        guard let text else { return nil }
        if text == Self.open { return OrderV1.State.allCases.filter(OrderV1.State.open.contains) }
        return [try Field.word(text, "state", beside: Self.open)]
    }

    /// Nil without the parameter: Orders lists all but renewals.
    private func origins(_ text: String?) throws(Problem) -> [OrderV1.Origin]? {
        guard let text else { return nil }
        if text == Self.all { return OrderV1.Origin.allCases }
        return [try Field.word(text, "origin", beside: Self.all)]
    }
}
