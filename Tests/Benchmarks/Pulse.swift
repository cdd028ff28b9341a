import Contracts
import Delivery
import Foundation
import NIOConcurrencyHelpers
import Program
import ZeroMQ

/// Asks every partition of Receipts again and again how it is: a round through its thread and its store, which is what a
/// heartbeat of `counterfoil up` waits for.
final class Pulse: Sendable {
    private static let pause = Duration.milliseconds(20)
    private static let patienceMilliseconds: Int64 = 60_000

    private let sockets: SocketLoop
    private let client: RequestClient
    private let partitions: Int
    private let longest = NIOLockedValueBox(Duration.zero)

    init(home: String, partitions: Int) throws {
        sockets = try SocketLoop(name: "pulse")
        let home = Home(root: home)
        client = RequestClient(sockets: sockets, source: "/bench") { home.socket(of: $0) }
        self.partitions = partitions
    }

    deinit { sockets.shutdown() }

    /// The longest round, in ms.
    var longestMilliseconds: Double { longest.withLockedValue { $0 } / .milliseconds(1) }

    func beating<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for partition in 0..<partitions { group.addTask { try await self.beat(partition) } }
            let value = try await body()
            group.cancelAll()
            do {
                while try await group.next() != nil {}
            } catch is CancellationError {
                return value
            }
            return value
        }
    }

    private func beat(_ partition: Int) async throws {
        let clock = ContinuousClock()
        while true {
            let start = clock.now
            _ = try await client.ask(
                PartitionStatusV1(),
                of: PartitionAddress(.receipts, partition),
                within: Self.patienceMilliseconds
            )
            let duration = clock.now - start
            longest.withLockedValue { $0 = max($0, duration) }
            try await Task.sleep(for: Self.pause)
        }
    }
}
