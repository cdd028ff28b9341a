import CZeroMQ
import Glibc

/// Allocated storage for an incoming frame, because a `zmq_msg_t` must not be moved.
final class IncomingPart {
    private let message = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: 1)

    init() { zmq_msg_init(message) }

    deinit {
        zmq_msg_close(message)
        message.deallocate()
    }

    var hasMore: Bool { zmq_msg_more(message) != 0 }
    var bytes: Frame {
        Frame(UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message)))
    }

    func receive(from handle: UnsafeMutableRawPointer) -> Bool {
        repeatingInterrupted { zmq_msg_recv(message, handle, ZMQ_DONTWAIT) } >= 0
    }
}
