/// Pauses one thread until another wakes it.
final class Waker: @unchecked Sendable {  // the flag is guarded by `condition`
    private let condition = MonotonicCondition()
    private var isAwake = false

    /// Ends the current pause, or else the next one.
    func wake() {
        condition.withLock {
            isAwake = true
            condition.signal()
        }
    }

    func pause(milliseconds: Int64) {
        condition.withLock {
            condition.wait(untilUptime: ClockReading.current().uptime + milliseconds) { isAwake }
            isAwake = false
        }
    }
}
