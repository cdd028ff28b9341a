import HTTPTypes
import Hummingbird

struct Route: Sendable {
    typealias Handler = @Sendable (Request, GatewayRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    /// The path as OpenAPI writes it, such as `/v1/orders/{orderId}`.
    let path: String
    let handler: Handler

    init(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }

    /// Whether a path is this one, whatever its parameters.
    func matches(_ other: String) -> Bool {
        let own = path.split(separator: "/", omittingEmptySubsequences: false)
        let other = other.split(separator: "/", omittingEmptySubsequences: false)
        return own.count == other.count
            && zip(own, other).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
    }
}
