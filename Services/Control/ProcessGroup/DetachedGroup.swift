import FoundationEssentials
import Glibc
import Program

/// A `counterfoil up` in a separate session, which outlives the terminal.
struct DetachedGroup {
    static let defaultSeconds = 60
    /// Timeout for ending an abandoned group, ms.
    private static let gracePeriod: Int64 = 30_000
    /// Time between two checks, and between two progress reports, ms.
    private static let checkInterval: Int64 = 100
    private static let reportInterval: Int64 = 1_000

    let home: Home
    let replicas: Int
    let logLevel: LogLevel
    let seconds: Int

    /// Starts the group and waits until its gateway is ready.
    ///
    /// - Throws: `CommandFailure` otherwise; no process is left running.
    func start() throws {
        if try SupervisorClient(home: home).ask(.status) != nil { _ = try CommandSocket.lock(home) }
        // An interrupted wait must not leave a group half started.
        let signals = try SignalPipe.open()
        let (pid, errors) = try spawn()
        do {
            try wait(for: pid, errors, signals)
        } catch {
            end(pid)
            throw error
        }
    }

    private func wait(for pid: pid_t, _ errors: Descriptor, _ signals: Descriptor) throws {
        let end = MonotonicClock.now + Int64(seconds) * 1_000
        var progress = GroupProgress(otherwise: "the partitions to answer the gateway")
        var nextReport = MonotonicClock.now + Self.reportInterval
        while MonotonicClock.now < end {
            if let end = ProcessEnd.reap(pid) { throw failure(end, errors) }
            let group = try SupervisorClient(home: home).ask(.status)
            if let url = group?.gateway { return print("gateway ready at \(url)") }
            if MonotonicClock.now >= nextReport { tell(errors) }
            if MonotonicClock.now >= nextReport, let group, let line = progress.line(of: group) {
                Terminal.warn("waiting for \(line)")
                nextReport = MonotonicClock.now + Self.reportInterval
            }
            if signals.isReadable(within: Self.checkInterval) {
                throw CommandFailure(description: "interrupted; the group is ended")
            }
        }
        let rest = progress.last.map { "; it waited for \($0)" } ?? ""
        let problem = "the group was not ready after \(seconds) s and is ended\(rest); see "
        throw CommandFailure(description: problem + "`counterfoil logs --home \(home.root)`")
    }

    /// Ends the group gracefully, or kills it after the timeout; its programs end with it.
    private func end(_ pid: pid_t) {
        guard ProcessEnd.reap(pid) == nil else { return }
        kill(pid, SIGTERM)
        let end = MonotonicClock.now + Self.gracePeriod
        while ProcessEnd.reap(pid) == nil {
            if MonotonicClock.now > end { kill(pid, SIGKILL) }
            poll(nil, 0, Int32(Self.checkInterval))
        }
    }

    /// Passes on what the group warns of, such as a PostgreSQL that does not answer.
    private func tell(_ errors: Descriptor) {
        for line in Self.lines(of: errors) { Terminal.warn(line) }
    }

    private static func lines(of errors: Descriptor) -> [String] {
        String(decoding: errors.readAvailable() ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(String.init)
    }

    private func failure(_ end: ProcessEnd, _ errors: Descriptor) -> CommandFailure {
        let text = Self.lines(of: errors).joined(separator: "\n")
        return CommandFailure(description: text.isEmpty ? "the group \(end)" : text, exitCode: end.exitCode)
    }

    /// Standard error is a socket to us; standard output is discarded, as files hold the logs.
    private func spawn() throws -> (pid: pid_t, errors: Descriptor) {
        let options = ["--replicas", String(replicas), "--log-level", logLevel.rawValue]
        do throws(SystemFault) {
            let errors = try Descriptor.pair()
            let pid = try Spawn(
                executable: Executables.own,
                arguments: ["up", "--home", home.root] + options,
                environment: ProcessInfo.processInfo.environment,
                group: .ownSession
            )
            .start(with: [(errors.theirs, STDERR_FILENO)])
            return (pid, errors.ours)
        } catch {
            throw CommandFailure(description: "counterfoil up \(ProcessEnd.neverBegan(error.code))")
        }
    }
}
