import Contracts
import HTTPTypes
import Hummingbird

/// `/livez` and `/readyz`: whether this process runs, and whether every partition answers.
struct HealthRoutes: Sendable {
    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] {
        [Route(.get, "/livez", live), Route(.get, "/readyz", ready)]
    }

    private struct Live: Encodable {
        let live = true
    }

    private struct Ready: Encodable {
        struct Partition: Encodable {
            let partition: PartitionAddress
            let ready: Bool
        }

        let ready: Bool
        /// Whether purchases may have been signed by somebody else than Apple.
        let testHome: Bool
        let extraRoots: Int
        let partitions: [Partition]
    }

    @Sendable private func live(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        try .json(Live())
    }

    @Sendable private func ready(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let partitions = try await edge.statuses.lines().map {
            Ready.Partition(partition: $0.partition, ready: $0.status != nil)
        }
        let answer = Ready(
            ready: partitions.allSatisfy(\.ready),
            testHome: edge.configuration.isTestHome,
            extraRoots: edge.configuration.extraRoots,
            partitions: partitions
        )
        guard !answer.ready else { return try .json(answer) }
        var response = try Response.json(answer, status: .serviceUnavailable)
        response.headers[.retryAfter] = String(Problem.retryAfterSeconds)
        return response
    }
}
