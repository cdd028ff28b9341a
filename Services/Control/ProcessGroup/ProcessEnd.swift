import Glibc

/// How a process ended.
enum ProcessEnd: Equatable, CustomStringConvertible {
    case exited(Int32)
    case signaled(Int32)
    /// It never began, for this reason of the system.
    case neverBegan(Int32)

    /// The meaning of what `waitpid` wrote.
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
    }

    var description: String {
        switch self {
        case .exited(let code): "ended with exit code \(code)"
        case .signaled(let signal): "was ended by signal \(signal)"
        case .neverBegan(let code): "could not be started: \(String(cString: strerror(code)))"
        }
    }
}
