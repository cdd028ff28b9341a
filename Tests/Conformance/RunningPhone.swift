import Glibc
import NIOConcurrencyHelpers

/// The client that runs now, so that it does not outlive this program.
final class RunningPhone: Sendable {
    private let pid = NIOLockedValueBox<pid_t?>(nil)

    func note(_ pid: pid_t?) { self.pid.withLockedValue { $0 = pid } }

    /// Kills it, if there is one.
    func kill() {
        if let pid = pid.withLockedValue({ $0 }) { PhoneProcess.kill(pid) }
    }
}
