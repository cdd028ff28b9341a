import Contracts
import Hummingbird
import Program

/// `/v1/buyers`: a buyer's entitlements and ledger.
struct BuyersRoutes: Sendable {
    /// Entries per page unless the request sets a limit.
    static let standardLimit = 100
    static let limits = 1...1_000

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.appRoute(.get, "/v1/buyers/{buyerId}/entitlements", entitlements),
            gateway.appRoute(.get, "/v1/buyers/{buyerId}/ledger", ledger),
        ]
    }

    @Sendable private func entitlements(_ request: AppRequest) async throws -> Response {
        let get = EntitlementsGetV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment() ?? .production
        )
        return .json(bytes: try await gateway.partitions.forward(get))
    }

    @Sendable private func ledger(_ request: AppRequest) async throws -> Response {
        let after = request.query("after")
        if let after, !EventID.isValid(after) {
            throw Problem.unacceptable("after", "must be the id of an entry")
        }
        let get = LedgerGetV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment(),
            after: after,
            limit: try request.query("limit", default: Self.standardLimit, in: Self.limits)
        )
        return .json(bytes: try await gateway.partitions.forward(get))
    }
}
