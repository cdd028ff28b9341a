import HTTPTypes
import Hummingbird

/// `/livez` and `/readyz` for anybody: whether this process runs, and whether purchases can be made, without a word more.
struct HealthRoutes: Sendable {
    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] {
        [Route(.get, "/livez", Self.live), Route(.get, "/readyz", ready)]
    }

    private struct Live: Encodable {
        let live = true
    }

    private struct Ready: Encodable {
        let ready: Bool
    }

    /// Answers that this process runs; asks nobody.
    @Sendable static func live(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        try .json(Live())
    }

    @Sendable private func ready(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let isReady = try await edge.statuses.lines().allSatisfy { $0.status != nil }
        return try Self.readiness(Ready(ready: isReady), isReady)
    }

    /// 200, or 503 that asks to be asked again.
    static func readiness(_ answer: some Encodable, _ isReady: Bool) throws -> Response {
        guard !isReady else { return try .json(answer) }
        var response = try Response.json(answer, status: .serviceUnavailable)
        response.headers[.retryAfter] = String(Problem.retryAfterSeconds)
        return response
    }
}
