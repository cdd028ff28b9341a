import CZeroMQ
import Glibc

/// An epoll of numbered descriptors that may be readable.
final class Readiness {
    /// The others follow in the next call.
    private static let eventsPerCall = 64

    private let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init() throws(ZeroMQError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .latest("epoll_create1") }
        events = .allocate(capacity: Self.eventsPerCall)
        events.initialize(repeating: epoll_event())
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    func watch(_ watched: Int32, as number: UInt64) throws(ZeroMQError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: number))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0 else {
            throw .latest("epoll_ctl")
        }
    }

    func forget(_ watched: Int32) {
        var event = epoll_event()
        epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &event)
    }

    /// How many descriptors are readable, after a wait of at most so many ms; nil has no limit.
    func wait(milliseconds: Int64?) -> Int {
        let limit = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
        return max(0, Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), limit)))
    }

    /// The number of one of the descriptors that the last wait found.
    func number(at index: Int) -> UInt64 { events[index].data.u64 }
}
