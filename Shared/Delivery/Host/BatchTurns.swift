import Foundation

/// Lets only so many partitions of a process handle a batch at the same time.
///
/// More partitions than processors make small batches, each with a commit of its own. While a partition waits for its
/// turn, more arrives, and goes into one commit.
final class BatchTurns: @unchecked Sendable {  // members are used under the lock
    private let condition = MonotonicCondition()
    private var free: Int
    private var waiting = 0

    /// `count` is how many at most, at least 1.
    init(atOnce count: Int) { free = max(1, count) }

    /// As many as share the processors with the other services.
    static var usual: BatchTurns { BatchTurns(atOnce: ProcessInfo.processInfo.activeProcessorCount / 2) }

    /// Whether a thread waits for its turn.
    var isAwaited: Bool { condition.withLock { waiting > 0 } }

    /// Runs `body` when it is this thread's turn, and tells it whether the thread had to wait.
    func take<Value>(_ body: (_ hasWaited: Bool) throws -> Value) rethrows -> Value {
        let hasWaited = condition.withLock {
            defer { free -= 1 }
            if free > 0 { return false }
            waiting += 1
            condition.wait(untilUptime: nil) { free > 0 }
            waiting -= 1
            return true
        }
        defer {
            condition.withLock { free += 1 }
            condition.signal()
        }
        return try body(hasWaited)
    }
}
