@testable import Delivery

/// A gate before which threads wait until a test opens it.
final class Gate: @unchecked Sendable {  // every member is guarded by `condition`
    private let condition = MonotonicCondition()
    private var count = 0
    private var isOpen = false
    /// Tells of each thread that has come to the gate.
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    /// How many threads have come.
    var visitors: Int { condition.withLock { count } }

    func pass() {
        condition.withLock {
            count += 1
            arrival.yield()
            condition.wait(untilUptime: nil) { isOpen }
        }
    }

    /// Waits for the next thread that comes to the gate.
    func nextArrival() async { _ = await arrivals.first { _ in true } }

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }
}
