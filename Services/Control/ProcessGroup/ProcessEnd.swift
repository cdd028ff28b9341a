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
