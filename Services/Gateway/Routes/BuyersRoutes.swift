import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/buyers`: a buyer's own token, consent, entitlements, subscriptions and ledger.
struct BuyersRoutes: Sendable {
    /// Entries per page unless the request sets a limit.
    static let standardLimit = 100

    private struct RegisterBody: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case appAccountToken }

        let appAccountToken: String
    }

    private struct ConsentBody: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case consumption }

        let consumption: Bool
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.forward(.put, "/v1/buyers/{buyerId}", register),
            gateway.forward(.put, "/v1/buyers/{buyerId}/consent", setConsent),
            gateway.forward(.get, "/v1/buyers/{buyerId}/entitlements", for: .phones) { request in
                EntitlementsGetV1(
                    bundleId: request.app.bundleId,
                    buyerId: try request.buyer(),
                    environment: try request.environment() ?? .production
                )
            },
            gateway.forward(.get, "/v1/buyers/{buyerId}/subscriptions", for: .phones) { request in
                SubscriptionsGetV1(
                    bundleId: request.app.bundleId,
                    buyerId: try request.buyer(),
                    environment: try request.environment() ?? .production
                )
            },
            gateway.forward(.get, "/v1/buyers/{buyerId}/ledger", ledger),
        ]
    }

    /// Repeats are harmless: the first registration of a token holds.
    @Sendable private func register(_ request: AppRequest) async throws -> TokenRegisterV1 {
        let buyer = try request.buyer()
        let token = try await request.body(RegisterBody.self).appAccountToken
        guard UUIDText(token) != nil else {
            throw Problem.unacceptable("appAccountToken", "must be a UUID other than the nil UUID")
        }
        return TokenRegisterV1(bundleId: request.app.bundleId, appAccountToken: token, buyerId: buyer)
    }

    /// What a buyer agrees to; repeats are harmless: the last word holds.
    @Sendable private func setConsent(_ request: AppRequest) async throws -> ConsentSetV1 {
        let buyer = try request.buyer()
        let consumption = try await request.body(ConsentBody.self).consumption
        return ConsentSetV1(bundleId: request.app.bundleId, buyerId: buyer, consumption: consumption)
    }

    @Sendable private func ledger(_ request: AppRequest) throws -> LedgerGetV1 {
        let after = try request.query("after")
        if let after, !EventID.isValid(after) {
            throw Problem.unacceptable("after", "must be the id of an entry")
        }
        return LedgerGetV1(
            bundleId: request.app.bundleId,
            buyerId: try request.buyer(),
            environment: try request.environment() ?? .production,
            after: after,
            limit: try request.query("limit", default: Self.standardLimit, in: Limits.linesOfPage)
        )
    }
}
