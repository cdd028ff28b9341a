import Contracts
import Delivery
import NIOConcurrencyHelpers

/// The turns of proofs above `JSONBody.hugeBytes`.
///
/// Each costs as much as hundreds of common ones, and many at once would take every core.
/// One is read at a time, and each partition is given one at a time, so that one that is away holds up its own only.
final class HugeProofs: Sendable {
    private let reading = AsyncSemaphore(1)
    private let partitions = NIOLockedValueBox<[PartitionAddress: AsyncSemaphore]>([:])

    /// How many proofs wait for their turn.
    var waiting: Int {
        reading.waiting + partitions.withLockedValue { $0.values.reduce(0) { $0 + $1.waiting } }
    }

    /// Reads a body of so many bytes, in its turn if it is huge.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; what `body` throws.
    func read<Value>(_ bytes: Int, _ body: () async throws -> Value) async throws -> Value {
        guard bytes > JSONBody.hugeBytes else { return try await body() }
        return try await reading.run(body)
    }

    /// Asks a partition about a body of so many bytes, in its turn if it is huge.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; what `body` throws.
    func ask<Value>(
        _ partition: PartitionAddress?,
        _ bytes: Int,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard bytes > JSONBody.hugeBytes, let partition else { return try await body() }
        let turns = partitions.withLockedValue { partitions in
            let turns = partitions[partition] ?? AsyncSemaphore(1)
            partitions[partition] = turns
            return turns
        }
        return try await turns.run(body)
    }
}
