import Contracts
import HTTPTypes
import Hummingbird

/// `/livez` and `/readyz` for operators: which partition answers, and whether this is a home for tests.
struct OperationsRoutes: Sendable {
    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] {
        [Route(.get, "/livez", HealthRoutes.live), Route(.get, "/readyz", ready)]
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

    @Sendable private func ready(_ request: Request, _ context: BasicRequestContext) async throws -> Response
    {
        let partitions = try await edge.statuses.lines().map {
            Ready.Partition(partition: $0.partition, ready: $0.status != nil)
        }
        let isReady = partitions.allSatisfy(\.ready)
        let answer = Ready(
            ready: isReady,
            testHome: edge.configuration.isTestHome,
            extraRoots: edge.configuration.extraRoots,
            partitions: partitions
        )
        return try HealthRoutes.readiness(answer, isReady)
    }
}
