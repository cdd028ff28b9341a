import Contracts
import HTTPTypes
import Hummingbird
import Program

/// `/livez` and `/readyz`: whether this process runs, and whether purchases can be made.
///
/// Operators also see which partitions reply, and whether this is a home for tests.
struct HealthRoutes: Sendable {
    private struct Readiness: Encodable {
        struct Partition: Encodable {
            let partition: PartitionAddress
            let ready: Bool
        }

        let ready: Bool
        /// Whether someone other than Apple may have signed purchases.
        var testHome: Bool?
        var extraRoots: Int?
        var partitions: [Partition]?
    }

    let gateway: GatewayContext

    func routes(forOperators: Bool) -> [Route] {
        [
            Route(.get, "/livez") { _, _ in try .json(["live": true]) },
            Route(.get, "/readyz") { _, _ in try await readiness(forOperators) },
        ]
    }

    /// 200, or 503 that asks for a retry.
    private func readiness(_ isForOperators: Bool) async throws -> Response {
        let partitions = try await gateway.statuses.entries().map {
            Readiness.Partition(partition: $0.partition, ready: $0.status != nil)
        }
        var body = Readiness(ready: partitions.allSatisfy(\.ready))
        if isForOperators {
            body.testHome = gateway.isTestHome
            body.extraRoots = gateway.configuration.extraRoots.count
            body.partitions = partitions
        }
        var response = try Response.json(body, status: body.ready ? .ok : .serviceUnavailable)
        if !body.ready { response.headers[.retryAfter] = String(Problem.retryAfterSeconds) }
        return response
    }
}
