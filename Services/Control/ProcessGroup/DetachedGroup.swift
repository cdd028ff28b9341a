import Foundation
import Glibc
import Program

/// A `counterfoil up` in a session of its own, which outlives the terminal.
struct DetachedGroup {
    /// How long the gateway may take to be ready, in milliseconds.
    static let patience: Int64 = 60_000

    let home: Home
    let replicas: Int
    let logLevel: LogLevel

    /// Starts it and waits until its gateway is ready.
    ///
    /// - Throws: `CommandFailure` when it ends instead.
    func start() throws {
        if try GroupClient(home: home).ask(.status) != nil { _ = try GroupLock(home: home) }
        let (pid, errors) = try spawn()
        defer { close(errors) }
        let end = MonotonicClock.now + Self.patience
        while MonotonicClock.now < end {
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid { throw failure(ProcessEnd(waitStatus: status), errors) }
            if let url = try GroupClient(home: home).ask(.status)?.gateway {
                print("gateway ready at \(url)")
                return
            }
            poll(nil, 0, 100)
        }
        throw CommandFailure(
            description: "the group runs, but its gateway is not ready after \(Self.patience / 1_000) s; see "
                + "`counterfoil logs --home \(home.root)`"
        )
    }

    private func failure(_ end: ProcessEnd, _ errors: Int32) -> CommandFailure {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let said =
            Descriptors.readAvailable(errors, into: &buffer).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let text = said.trimmingCharacters(in: .whitespacesAndNewlines)
        let code = if case .exited(let code) = end, code != 0 { code } else { Launch.failureCode }
        return CommandFailure(description: text.isEmpty ? "the group \(end)" : text, exitCode: code)
    }

    /// Starts `up`; its standard error is a pipe to us, its standard output goes nowhere, as files hold the
    /// logs.
    private func spawn() throws -> (pid: pid_t, errors: Int32) {
        let errors = try Descriptors.pipe()
        let null = try Descriptors.raised(open("/dev/null", O_WRONLY | O_CLOEXEC))
        defer {
            close(errors.write)
            close(null)
        }
        let spawn = Spawn(
            executable: Executables.own,
            arguments: [
                "up", "--home", home.root, "--replicas", String(replicas), "--log-level", logLevel.rawValue,
            ],
            environment: ProcessInfo.processInfo.environment,
            descriptors: [(null, STDOUT_FILENO), (errors.write, STDERR_FILENO)],
            leavesSession: true
        )
        switch spawn.start() {
        case .success(let pid): return (pid, errors.read)
        case .failure(let failure):
            close(errors.read)
            throw CommandFailure(description: "counterfoil up \(ProcessEnd.neverBegan(failure.code))")
        }
    }
}
