import Glibc

/// What a thread does while it waits: it cannot answer heartbeats meanwhile, and may not wait in silence.
final class Pulse {
    /// Between two beats, ms.
    let interval: Int
    /// Called as a wait begins, and after each interval of it; whether it has lasted for one.
    var beat: (_ isLong: Bool) -> Void = { _ in }
    private let ending: LogEnding
    /// For a call, once the process is asked to end; ms.
    private let patience: Int
    private var callBegan = Deadline.uptime
    /// A call has lasted too long for a process that is to end: nothing is waited for any more.
    private(set) var isOver = false

    init(interval: Int, ending: LogEnding = LogEnding(), patience: Int = LogLimits().ending) {
        self.interval = interval
        self.ending = ending
        self.patience = patience
    }

    /// A call begins, with its repetitions.
    func beginCall() { callBegan = Deadline.uptime }

    /// Fails when the process is to end, and the call has had its time.
    func assertWanted() throws(SessionFault) {
        guard ending.hasBegun else { return }
        isOver = isOver || Deadline.uptime - callBegan >= Int64(patience)
        if isOver { throw .silent("the program ends, and does not wait for an answer") }
    }

    /// Waits for one of these, but not beyond the deadline; false if nothing has come by then.
    func wait(for interests: inout [pollfd], until deadline: Deadline) throws(SessionFault) -> Bool {
        beat(false)
        while true {
            try assertWanted()
            let slice = min(deadline.remaining, interval)
            let code = poll(&interests, nfds_t(interests.count), Int32(clamping: slice))
            if code > 0 { return true }
            if code < 0, errno != EINTR { throw .silent(String(cString: strerror(errno))) }
            if deadline.isOver { return false }
            beat(true)
        }
    }

    /// Waits so many milliseconds, but not beyond the deadline.
    func pause(_ milliseconds: Int, until deadline: Deadline) throws(SessionFault) {
        var nothing: [pollfd] = []
        _ = try wait(for: &nothing, until: min(deadline, Deadline(in: milliseconds)))
    }
}
