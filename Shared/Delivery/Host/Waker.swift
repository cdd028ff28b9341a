/// Lets one thread pause until something happens.
final class Waker: @unchecked Sendable {  // the flag is guarded by `condition`
    private let condition = MonotonicCondition()
    private var isAwake = false

    /// Ends the pause, or the next one if there is none now.
    func wake() {
        condition.withLock {
            isAwake = true
            condition.signal()
        }
    }

    /// Pauses until `wake`, `milliseconds` at most.
    func pause(milliseconds: Int64) {
        condition.withLock {
            condition.wait(untilUptime: Moment.current().uptime + milliseconds) { isAwake }
            isAwake = false
        }
    }
}
