import Contracts
import HTTPTypes
import Hummingbird
import Program

/// `/livez` and `/readyz` for operators: which partitions reply, and whether this is a home for tests.
struct OperationsRoutes: Sendable {
    private struct Ready: Encodable {
        struct Partition: Encodable {
            let partition: PartitionAddress
            let ready: Bool
        }

        let ready: Bool
        /// Whether someone other than Apple may have signed purchases.
        let testHome: Bool
        let extraRoots: Int
        let partitions: [Partition]
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            HealthRoutes.live,
            Route(.get, "/readyz") { _, _ in
                let partitions = try await gateway.statuses.entries().map {
                    Ready.Partition(partition: $0.partition, ready: $0.status != nil)
                }
                let ready = Ready(
                    ready: partitions.allSatisfy(\.ready),
                    testHome: gateway.isTestHome,
                    extraRoots: gateway.configuration.extraRoots.count,
                    partitions: partitions
                )
                return try HealthRoutes.readiness(ready, ready.ready)
            },
        ]
    }
}
