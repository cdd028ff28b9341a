import Glibc

/// A lock with a condition on the monotonic clock, so that a jump of the wall clock neither wakes nor delays a thread.
final class MonotonicCondition: @unchecked Sendable {  // a POSIX mutex and condition, made to be shared
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func withLock<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    func signal() { pthread_cond_signal(condition) }

    func broadcast() { pthread_cond_broadcast(condition) }

    /// Under the lock, waits until `isMet` or until the monotonic clock shows `uptime` ms; nil has no limit.
    func wait(untilUptime uptime: Int64?, for isMet: () -> Bool) {
        guard let uptime else {
            while !isMet() { pthread_cond_wait(condition, mutex) }
            return
        }
        var end = timespec(tv_sec: Int(uptime / 1_000), tv_nsec: Int(uptime % 1_000) * 1_000_000)
        while !isMet() {
            guard pthread_cond_timedwait(condition, mutex, &end) != ETIMEDOUT else { return }
        }
    }
}
