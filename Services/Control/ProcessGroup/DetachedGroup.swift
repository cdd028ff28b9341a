import Foundation
import Glibc
import Program

/// A `counterfoil up` in a session of its own, which outlives the terminal.
struct DetachedGroup {
    /// How long the gateway may take to be ready when nothing is said, in seconds.
    static let standardSeconds = 60
    /// How long a group that is given up may take to end, in milliseconds.
    private static let endPatience: Int64 = 30_000
    /// Pause between two looks, and between two lines that say what is waited for, in milliseconds.
    private static let glance: Int32 = 100
    private static let tellingInterval: Int64 = 1_000

    let home: Home
    let replicas: Int
    let logLevel: LogLevel
    /// How long the gateway may take to be ready, in seconds.
    let seconds: Int

    /// Starts it and waits until its gateway is ready.
    ///
    /// - Throws: `CommandFailure` when that does not come about; then nothing of it is left running.
    func start() throws {
        if try GroupClient(home: home).ask(.status) != nil { _ = try GroupLock(home: home) }
        // Whoever gives up waiting shall not leave a group that is half started.
        let signals = try SignalPipe.open()
        let (pid, errors) = try spawn()
        defer { close(errors) }
        do {
            try wait(for: pid, errors, signals)
        } catch {
            end(pid)
            throw error
        }
    }

    private func wait(for pid: pid_t, _ errors: Int32, _ signals: Int32) throws {
        let end = MonotonicClock.now + Int64(seconds) * 1_000
        var progress = GroupProgress(otherwise: "the partitions to answer the gateway")
        var nextLine = MonotonicClock.now + Self.tellingInterval
        while MonotonicClock.now < end {
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid { throw failure(ProcessEnd(waitStatus: status), errors) }
            let group = try GroupClient(home: home).ask(.status)
            if let url = group?.gateway {
                print("gateway ready at \(url)")
                return
            }
            if MonotonicClock.now >= nextLine, let group, let line = progress.line(of: group) {
                Terminal.warn("waiting for \(line)")
                nextLine = MonotonicClock.now + Self.tellingInterval
            }
            var polled = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, Self.glance) > 0 {
                throw CommandFailure(description: "interrupted; the group is ended")
            }
        }
        let rest = progress.last.map { "; it waited for \($0)" } ?? ""
        throw CommandFailure(
            description: "the group was not ready after \(seconds) s and is ended\(rest); see "
                + "`counterfoil logs --home \(home.root)`"
        )
    }

    /// Ends what was started: politely, else at once; its programs end with it.
    private func end(_ pid: pid_t) {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == 0 else { return }
        kill(pid, SIGTERM)
        let end = MonotonicClock.now + Self.endPatience
        while waitpid(pid, &status, WNOHANG) == 0 {
            if MonotonicClock.now > end { kill(pid, SIGKILL) }
            poll(nil, 0, Self.glance)
        }
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
