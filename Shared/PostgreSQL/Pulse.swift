import Glibc

/// What a thread does while it waits: it cannot answer heartbeats meanwhile, and may not wait in silence.
final class Pulse {
    /// Between two beats, ms.
    let interval: Int
    var beat: () -> Void = {}

    init(interval: Int) { self.interval = interval }

    /// Waits for one of these, but not beyond the deadline; false if nothing has come by then.
    func wait(for interests: inout [pollfd], until deadline: Deadline) throws(SessionFault) -> Bool {
        while true {
            let slice = min(deadline.remaining, interval)
            let code = poll(&interests, nfds_t(interests.count), Int32(clamping: slice))
            if code > 0 { return true }
            if code < 0, errno != EINTR { throw .silent(String(cString: strerror(errno))) }
            if deadline.isOver { return false }
            beat()
        }
    }

    /// Waits so many milliseconds, but not beyond the deadline.
    func pause(_ milliseconds: Int, until deadline: Deadline) throws(SessionFault) {
        var nothing: [pollfd] = []
        _ = try wait(for: &nothing, until: min(deadline, Deadline(in: milliseconds)))
    }
}
