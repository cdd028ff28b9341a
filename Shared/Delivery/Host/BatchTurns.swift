import FoundationEssentials

/// Lets only so many partitions of a process handle a batch at the same time.
///
/// More partitions than processors make small batches, each with a commit of its own. While a partition waits for its
/// turn, more arrives, and goes into one commit. A partition that ends its turn may begin the next one at once, which
/// saves a change of threads, but only a few times while others wait.
final class BatchTurns: @unchecked Sendable {  // members are used under the lock
    /// How many turns may begin ahead of those that wait.
    static let maximumOvertakes = 4

    private let condition = MonotonicCondition()
    private var free: Int
    /// Those that wait have numbers; the lowest one is next.
    private var numbers = 0..<0
    /// Turns that began ahead of those that wait, since one of these began.
    private var overtakes = 0

    /// `count` is how many at most, at least 1.
    init(atOnce count: Int) { free = max(1, count) }

    /// As many as share the processors with the other services.
    static var usual: BatchTurns { BatchTurns(atOnce: ProcessInfo.processInfo.activeProcessorCount / 2) }

    /// Whether a thread waits for its turn.
    var isAwaited: Bool { condition.withLock { !numbers.isEmpty } }

    /// Waits for this thread's turn; whoever begins one ends it, once.
    ///
    /// - Returns: whether the thread had to wait.
    func begin() -> Bool {
        condition.withLock {
            defer { free -= 1 }
            if free > 0, numbers.isEmpty || overtakes < Self.maximumOvertakes {
                if !numbers.isEmpty { overtakes += 1 }
                return false
            }
            let number = numbers.upperBound
            numbers = numbers.lowerBound..<number + 1
            condition.wait(untilUptime: nil) { free > 0 && number == numbers.lowerBound }
            numbers = number + 1..<numbers.upperBound
            overtakes = 0
            // The next one may have looked before this one went.
            if free > 1, !numbers.isEmpty { condition.broadcast() }
            return true
        }
    }

    /// Ends a turn: the next one begins.
    func end() {
        condition.withLock { free += 1 }
        // Only one of those that wait goes on, and it need not be the first to wake up.
        condition.broadcast()
    }
}
