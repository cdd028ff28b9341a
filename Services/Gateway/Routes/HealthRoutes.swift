import HTTPTypes
import Hummingbird

/// Public `/livez` and `/readyz`: whether this process runs, and whether purchases can be made.
struct HealthRoutes: Sendable {
    static let live = Route(.get, "/livez") { _, _ in try .json(["live": true]) }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            Self.live,
            Route(.get, "/readyz") { _, _ in
                let isReady = try await gateway.statuses.entries().allSatisfy { $0.status != nil }
                return try Self.readiness(["ready": isReady], isReady)
            },
        ]
    }

    /// 200, or 503 that asks for a retry.
    static func readiness(_ body: some Encodable, _ isReady: Bool) throws -> Response {
        var response = try Response.json(body, status: isReady ? .ok : .serviceUnavailable)
        if !isReady { response.headers[.retryAfter] = String(Problem.retryAfterSeconds) }
        return response
    }
}
