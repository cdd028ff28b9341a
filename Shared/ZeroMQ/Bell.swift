import CZeroMQ
import Glibc

/// An eventfd: any thread rings it, one thread waits for it.
final class Bell: Sendable {
    let descriptor: Int32

    init() throws(ZeroMQError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .latest("eventfd") }
    }

    deinit { close(descriptor) }

    func ring() {
        while eventfd_write(descriptor, 1) == -1, errno == EINTR {}
    }

    func silence() {
        var rings: eventfd_t = 0
        while eventfd_read(descriptor, &rings) == -1, errno == EINTR {}
    }
}
