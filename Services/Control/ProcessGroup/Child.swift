import Glibc
import Program

final class Child {
    /// Descriptor numbers in every child.
    static let heartbeatDescriptor: Int32 = 3
    static let configurationDescriptor: Int32 = 4

    struct Process {
        let pid: pid_t
        let heartbeat: Int32
        let log: Int32
        /// The child closed its end of the socket: it has ended or is about to.
        var hasDisconnected = false
        var logHasEnded = false
    }

    var machine: ReplicaMachine
    var process: Process?
    var lines = LineSplitter()
    var starts = 0
    /// The configuration version of its last start.
    var configuration: String?
    /// The running process's last line of output.
    var lastLine: String?
    /// The last process's end and its last line of output.
    var lastEnd: (end: ProcessEnd, line: String?)?

    init() { machine = ReplicaMachine(now: MonotonicClock.now) }

    var health: RollingRestart.Health {
        if machine.isWell { return .well }
        return machine.phase == .refused ? .refused : .unwell
    }

    /// Why it does not run or will not restart.
    var problem: String? {
        guard let lastEnd, !machine.isWell else { return nil }
        return ["\(lastEnd.end)", lastEnd.line].compactMap(\.self).joined(separator: ": ")
    }
}

struct ChildLauncher {
    let folder: String
    let home: Home
    let logLevel: LogLevel
    let environment: [String: String]

    /// Finds the programs before any of them is started.
    func checkExecutables() throws {
        for program in GroupProgram.allCases where access(path(of: program), X_OK) != 0 {
            let problem = "\(path(of: program)) is missing; install all programs into one folder"
            throw CommandFailure(description: problem)
        }
    }

    func start(_ name: ReplicaName, _ snapshot: SnapshotFile, isFirst: Bool) throws -> Child.Process {
        let (heartbeat, theirs) = try Descriptors.socketPair()
        let log = try Descriptors.pipe()
        defer {
            close(theirs)
            close(log.write)
        }
        var environment = environment
        environment[ParentWatchdog.environmentVariable] = String(Child.heartbeatDescriptor)
        // A test's crash point ends a process once, not after each restart.
        if !isFirst { environment["COUNTERFOIL_CRASH_AT"] = nil }
        let options = ["--replica", String(name.number), "--log-level", logLevel.rawValue]
        do {
            let pid = try spawn(
                name.program,
                options,
                environment,
                [
                    (log.write, STDOUT_FILENO), (log.write, STDERR_FILENO),
                    (theirs, Child.heartbeatDescriptor),
                ],
                snapshot
            )
            return Child.Process(pid: pid, heartbeat: heartbeat, log: log.read)
        } catch {
            close(heartbeat)
            close(log.read)
            throw error
        }
    }

    /// Starts a program that only checks its configuration.
    func startCheck(of program: GroupProgram, _ snapshot: SnapshotFile) throws -> ProgramCheck {
        let errors = try Descriptors.pipe()
        defer { close(errors.write) }
        do throws(ProcessStartFailure) {
            let pid = try spawn(program, ["--check"], environment, [(errors.write, STDERR_FILENO)], snapshot)
            return ProgramCheck(program: program, pid: pid, errors: errors.read)
        } catch {
            close(errors.read)
            throw CommandFailure(description: "\(program.executable) \(ProcessEnd.neverBegan(error.code))")
        }
    }

    private func path(of program: GroupProgram) -> String { "\(folder)/\(program.executable)" }

    private func spawn(
        _ program: GroupProgram,
        _ options: [String],
        _ environment: [String: String],
        _ descriptors: [(ours: Int32, theirs: Int32)],
        _ snapshot: SnapshotFile
    ) throws(ProcessStartFailure) -> pid_t {
        let variable = [ConfigurationSnapshot.environmentVariable: String(Child.configurationDescriptor)]
        return try Spawn(
            executable: path(of: program),
            arguments: ["--home", home.root] + options,
            environment: environment.merging(variable) { $1 },
            descriptors: descriptors + [(snapshot.descriptor, Child.configurationDescriptor)]
        )
        .start()
    }
}
