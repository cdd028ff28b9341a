import Glibc
import Program

enum ProcessEnd: Equatable, CustomStringConvertible {
    case exited(Int32)
    case signaled(Int32)
    /// The process never started; the value is the `errno`.
    case neverBegan(Int32)

    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
    }

    static func wait(for pid: pid_t) -> ProcessEnd {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return ProcessEnd(waitStatus: status)
    }

    /// Nil while the child runs.
    static func reap(_ pid: pid_t) -> ProcessEnd? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == 0 ? nil : ProcessEnd(waitStatus: status)
    }

    /// Whether a signal has stopped the child, or let it go on, since the last such question; nil for neither.
    static func changesSuspension(of pid: pid_t) -> Bool? {
        var status = siginfo_t()
        let code = waitid(P_PID, id_t(pid), &status, WSTOPPED | WCONTINUED | WNOHANG)
        guard code == 0, status.si_signo == SIGCHLD else { return nil }
        return status.si_code == Int32(CLD_STOPPED)
    }

    /// The exit code for a command that needed the process.
    var exitCode: Int32 { if case .exited(let code) = self, code != 0 { code } else { Launch.failureCode } }

    var description: String {
        switch self {
        case .exited(let code): "ended with exit code \(code)"
        case .signaled(let signal): "was ended by signal \(signal)"
        case .neverBegan(let code): "could not be started: \(String(cString: strerror(code)))"
        }
    }
}
