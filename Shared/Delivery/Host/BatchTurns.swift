import Foundation

/// Lets only so many partitions of a process handle a batch at the same time.
///
/// More partitions than processors make small batches, each with a commit of its own. While a partition waits for its
/// turn, more arrives, and goes into one commit.
final class BatchTurns: @unchecked Sendable {  // `free` is used under the lock
    private let condition = MonotonicCondition()
    private var free: Int

    /// `count` is how many at most, at least 1.
    init(atOnce count: Int) { free = max(1, count) }

    /// As many as share the processors with the other services.
    static var usual: BatchTurns { BatchTurns(atOnce: ProcessInfo.processInfo.activeProcessorCount / 2) }

    /// Runs `body` when it is this thread's turn.
    func take<Value>(_ body: () throws -> Value) rethrows -> Value {
        condition.withLock {
            condition.wait(untilUptime: nil) { free > 0 }
            free -= 1
        }
        defer {
            condition.withLock { free += 1 }
            condition.signal()
        }
        return try body()
    }
}
