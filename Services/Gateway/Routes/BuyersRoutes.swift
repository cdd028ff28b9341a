import Contracts
import Hummingbird
import Program

/// `/v1/buyers`: what a buyer holds, and the ledger that led there.
struct BuyersRoutes: Sendable {
    /// Entries in a page when nothing is said.
    static let standardLimit = 100
    /// Entries that a page may have.
    static let limits = 1...1_000

    private static let environments: [Contracts.Environment] = [.production, .sandbox, .xcode, .localTesting]

    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] {
        [
            Route(.get, "/v1/buyers/{buyerId}/entitlements", entitlements),
            Route(.get, "/v1/buyers/{buyerId}/ledger", ledger),
        ]
    }

    @Sendable private func entitlements(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let app = try edge.authentication.app(request.headers)
        let question = EntitlementsGetV1(
            bundleId: app.bundleId,
            buyerId: try Field.buyer(try context.pathParameter("buyerId")),
            environment: try environment(Query(request)) ?? .production
        )
        return .json(bytes: try await edge.partitions.entitlements(question))
    }

    @Sendable private func ledger(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let app = try edge.authentication.app(request.headers)
        let query = Query(request)
        let question = LedgerGetV1(
            bundleId: app.bundleId,
            buyerId: try Field.buyer(try context.pathParameter("buyerId")),
            environment: try environment(query),
            after: try after(query),
            limit: try query.integer("limit", default: Self.standardLimit, in: Self.limits)
        )
        return .json(bytes: try await edge.partitions.ledger(question))
    }

    private func environment(_ query: Query) throws(Problem) -> Contracts.Environment? {
        guard let text = query.text("environment") else { return nil }
        guard let environment = Self.environments.first(where: { $0.rawValue == text }) else {
            let known = Self.environments.map(\.rawValue).joined(separator: ", ")
            throw .unacceptable("environment", "must be one of \(known)")
        }
        return environment
    }

    private func after(_ query: Query) throws(Problem) -> String? {
        guard let text = query.text("after") else { return nil }
        guard EventID.isValid(text) else { throw .unacceptable("after", "must be the id of an entry") }
        return text
    }
}
