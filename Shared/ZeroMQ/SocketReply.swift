import Dispatch
import NIOConcurrencyHelpers

/// A value that the I/O thread sets once and other threads wait for.
final class SocketReply<Value: Sendable>: Sendable {
    private let value = NIOLockedValueBox<Value?>(nil)
    private let given = DispatchSemaphore(value: 0)

    func give(_ value: Value) {
        self.value.withLockedValue { $0 = value }
        given.signal()
    }

    /// Blocks the calling thread; each woken thread wakes the next.
    func wait() -> Value {
        while true {
            given.wait()
            given.signal()
            if let value = value.withLockedValue({ $0 }) { return value }
        }
    }
}
