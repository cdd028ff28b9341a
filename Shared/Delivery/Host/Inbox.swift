import Contracts
import ZeroMQ

/// What waits for a partition's thread.
enum Arrival: Sendable {
    case message(Inbound)
    case answer(Inbound, by: PartitionAddress)
    case connected(PartitionAddress)
    case worked(WorkItem, result: [UInt8])
    /// Asks for a round through the store.
    case probe(@Sendable () -> Void)
}

/// The queue between the I/O thread and a partition's thread.
///
/// Bounded: what is above the bound is dropped and counted; links and requests both repeat what was not answered.
final class Inbox: @unchecked Sendable {  // every member is guarded by `condition`
    /// Messages that may wait.
    static let bound = 16_384

    private let condition = MonotonicCondition()
    private var waiting: [Arrival] = []
    private var isStopped = false

    /// Puts what arrived at the end of the queue.
    func put(_ arrivals: some Collection<Arrival>) {
        condition.withLock {
            waiting.append(contentsOf: arrivals.prefix(max(0, Self.bound - waiting.count)))
            condition.signal()
        }
    }

    /// Puts something at the end of the queue that nobody would repeat; it is never dropped.
    func insist(_ arrival: Arrival) {
        condition.withLock {
            waiting.append(arrival)
            condition.signal()
        }
    }

    /// Asks the thread to leave.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.signal()
        }
    }

    /// Whether the thread was asked to leave.
    var hasStopped: Bool { condition.withLock { isStopped } }

    /// What waits, `limit` at most; none when the monotonic clock shows `uptime` ms, or the thread is to leave.
    func take(limit: Int, untilUptime uptime: Int64?) -> [Arrival] {
        condition.withLock {
            condition.wait(untilUptime: uptime) { !waiting.isEmpty || isStopped }
            guard waiting.count > limit else {
                let all = waiting
                waiting = []
                return all
            }
            let first = Array(waiting.prefix(limit))
            waiting.removeFirst(limit)
            return first
        }
    }
}
