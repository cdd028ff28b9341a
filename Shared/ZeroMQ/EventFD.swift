import CZeroMQ
import Glibc

/// An eventfd: any thread signals it, one thread waits for it.
final class EventFD: Sendable {
    let descriptor: Int32

    init() throws(ZeroMQError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .latest("eventfd") }
    }

    deinit { close(descriptor) }

    func signal() {
        while eventfd_write(descriptor, 1) == -1, errno == EINTR {}
    }

    func clear() {
        var count: eventfd_t = 0
        while eventfd_read(descriptor, &count) == -1, errno == EINTR {}
    }
}
