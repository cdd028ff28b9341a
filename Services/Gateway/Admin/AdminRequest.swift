import Contracts
import Delivery
import HTTPTypes
import Hummingbird
import Program

/// A request of an operator, on the listener for operations.
struct AdminRequest: IncomingRequest {
    let by: Operator
    let request: Request
    let context: GatewayRequestContext
    let counter: ConcurrencyLimit
    var phoneBuyer: AppBuyer? { nil }
}

extension GatewayContext {
    /// A route below `/v1/admin` for operators of this role, and of those that may do more.
    ///
    /// It belongs to `operations` alone: `http.listen` never serves it.
    func adminRoute(
        _ method: HTTPRequest.Method,
        _ path: String,
        for role: OperatorRole,
        _ handler: @escaping @Sendable (AdminRequest) async throws -> Response
    ) -> Route {
        Route(method, "/v1/admin" + path) { request, context in
            let counter = loadShedder.operators
            return try await counter.run {
                let acting = try operators.acting(request.headers, as: role)
                return try await handler(
                    AdminRequest(by: acting, request: request, context: context, counter: counter)
                )
            }
        }
    }
}
