import Contracts
import Delivery
import Program
import ZeroMQ

/// Asks every partition of Receipts again and again how it is: a round through its thread and its store, which is what
/// a heartbeat of `counterfoil up` waits for.
final class Pulse: Sendable {
    private static let pause = Duration.milliseconds(20)
    private static let patienceMilliseconds: Int64 = 60_000

    private let sockets: SocketLoop
    private let client: RequestClient
    private let partitions: Int

    init(home: String, partitions: Int) throws {
        sockets = try SocketLoop(name: "pulse")
        client = RequestClient(sockets: sockets, source: "/bench", endpoints: Home(root: home).endpoints)
        self.partitions = partitions
    }

    deinit { sockets.shutdown() }

    /// The longest round while `body` runs.
    func longest(while body: () async throws -> Void) async throws -> Duration {
        try await withThrowingTaskGroup(of: Duration.self) { group in
            for partition in 0..<partitions { group.addTask { try await self.longestRound(of: partition) } }
            try await body()
            group.cancelAll()
            return try await group.reduce(.zero, max)
        }
    }

    private func longestRound(of partition: Int) async throws -> Duration {
        var longest = Duration.zero
        do {
            while true {
                let start = ContinuousClock.now
                _ = try await client.ask(
                    PartitionStatusV1(),
                    of: PartitionAddress(.receipts, partition),
                    within: Self.patienceMilliseconds
                )
                longest = max(longest, .now - start)
                try await Task.sleep(for: Self.pause)
            }
        } catch is CancellationError {
            return longest
        }
    }
}
