import Delivery

enum MonotonicClock {
    /// Milliseconds since an arbitrary moment.
    static var now: Int64 { ClockReading.current().uptime }
}
