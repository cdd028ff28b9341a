import Contracts
import Delivery
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The turns of proofs above `JSONBody.hugeBytes`.
///
/// Each costs as much as hundreds of common ones, and many at once would take every core: one is read or handed to its
/// partition at a time. A partition that does not answer within the longest turn holds up its own ones only.
final class HugeProofs: Sendable {
    private let all = AsyncSemaphore(1)
    private let partitions = NIOLockedValueBox<[PartitionAddress: AsyncSemaphore]>([:])
    private let longestTurn: TimeAmount

    /// How many proofs wait for their turn.
    var waiting: Int {
        all.waiting + partitions.withLockedValue { $0.values.reduce(0) { $0 + $1.waiting } }
    }

    init(longestTurn: TimeAmount = .seconds(2)) { self.longestTurn = longestTurn }

    /// Reads a body of so many bytes, in its turn if it is huge.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; what `body` throws.
    func read<Value>(_ bytes: Int, _ body: () async throws -> Value) async throws -> Value {
        guard bytes > JSONBody.hugeBytes else { return try await body() }
        return try await all.run(body)
    }

    /// Asks a partition about a body of so many bytes; in its turn and off the event loop if it is huge.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; what `body` throws.
    func ask<Value: Sendable>(
        _ partition: @autoclosure () -> PartitionAddress?,
        _ bytes: Int,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard bytes > JSONBody.hugeBytes, let partition = partition() else { return try await body() }
        return try await turns(of: partition).run {
            let turn = try await all.take()
            let limit = MultiThreadedEventLoopGroup.singleton.any()
                .scheduleTask(in: longestTurn) { turn.end() }
            defer {
                limit.cancel()
                turn.end()
            }
            return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await body() }
        }
    }

    private func turns(of partition: PartitionAddress) -> AsyncSemaphore {
        partitions.withLockedValue { partitions in
            let turns = partitions[partition] ?? AsyncSemaphore(1)
            partitions[partition] = turns
            return turns
        }
    }
}
