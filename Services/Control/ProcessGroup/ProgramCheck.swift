import Glibc

struct ProgramCheck {
    /// Timeout for reading the configuration, ms.
    private static let patience: Int64 = 20_000

    let program: GroupProgram
    let pid: pid_t
    let errors: Descriptor

    func failure() -> CommandFailure? {
        let deadline = MonotonicClock.now + Self.patience
        var output: [UInt8] = []
        while let bytes = errors.readAvailable() {
            output += bytes
            if MonotonicClock.now >= deadline { kill(pid, SIGKILL) }
            _ = errors.isReadable(within: max(1, deadline - MonotonicClock.now))
        }
        switch ProcessEnd.wait(for: pid) {
        case .exited(0): return nil
        case .signaled(SIGKILL) where MonotonicClock.now >= deadline:
            let seconds = Self.patience / 1_000
            let problem = "\(program.executable) did not read its configuration within \(seconds) s"
            return CommandFailure(description: problem)
        case let end:
            let text = String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init)
            return CommandFailure(description: text ?? "\(program.executable) \(end)", exitCode: end.exitCode)
        }
    }
}
