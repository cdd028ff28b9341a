package import Contracts
package import Delivery
import NIOConcurrencyHelpers
package import ZeroMQ

/// Endpoints that a test changes while they are in use.
package final class MovingEndpoints: Endpoints {
    private let usual: any Endpoints
    private let moved = NIOLockedValueBox<[PartitionAddress: Endpoint]>([:])

    package init(_ usual: any Endpoints) { self.usual = usual }

    /// Says from now on that a partition listens where another one does.
    package func move(_ partition: PartitionAddress, to other: PartitionAddress) {
        moved.withLockedValue { $0[partition] = usual.endpoint(of: other) }
    }

    package func endpoint(of partition: PartitionAddress) -> Endpoint {
        moved.withLockedValue { $0[partition] } ?? usual.endpoint(of: partition)
    }
}
