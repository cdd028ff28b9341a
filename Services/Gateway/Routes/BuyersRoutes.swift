import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/buyers`: a buyer's own token, entitlements, subscriptions and ledger.
struct BuyersRoutes: Sendable {
    /// Entries per page unless the request sets a limit.
    static let standardLimit = 100

    private struct RegisterBody: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case appAccountToken }

        let appAccountToken: String
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.appRoute(.put, "/v1/buyers/{buyerId}", register),
            gateway.appRoute(.get, "/v1/buyers/{buyerId}/entitlements", entitlements),
            gateway.appRoute(.get, "/v1/buyers/{buyerId}/subscriptions", subscriptions),
            gateway.appRoute(.get, "/v1/buyers/{buyerId}/ledger", ledger),
        ]
    }

    /// Repeats are harmless: the first registration of a token holds.
    @Sendable private func register(_ request: AppRequest) async throws -> Response {
        let buyer = try request.buyer()
        return try await request.withBody(upTo: .small) { bytes in
            let token = try JSONBody.decode(RegisterBody.self, from: bytes).appAccountToken
            guard UUIDText(token) != nil else {
                throw Problem.unacceptable("appAccountToken", "must be a UUID other than the nil UUID")
            }
            let register = TokenRegisterV1(
                bundleId: request.app.bundleId,
                appAccountToken: token,
                buyerId: buyer
            )
            return .json(bytes: try await gateway.partitions.forward(register))
        }
    }

    @Sendable private func entitlements(_ request: AppRequest) async throws -> Response {
        let get = EntitlementsGetV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment() ?? .production
        )
        return .json(bytes: try await gateway.partitions.forward(get))
    }

    @Sendable private func subscriptions(_ request: AppRequest) async throws -> Response {
        let get = SubscriptionsGetV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment() ?? .production
        )
        return .json(bytes: try await gateway.partitions.forward(get))
    }

    @Sendable private func ledger(_ request: AppRequest) async throws -> Response {
        let after = try request.query("after")
        if let after, !EventID.isValid(after) {
            throw Problem.unacceptable("after", "must be the id of an entry")
        }
        let get = LedgerGetV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment() ?? .production,
            after: after,
            limit: try request.query("limit", default: Self.standardLimit, in: Limits.linesOfPage)
        )
        return .json(bytes: try await gateway.partitions.forward(get))
    }
}
