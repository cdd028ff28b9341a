import Glibc
import Program

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

    func start(
        _ name: ReplicaName,
        _ snapshot: SnapshotFile,
        isFirst: Bool
    ) throws(SystemFault) -> Child.Process {
        let heartbeat = try Descriptor.pair()
        let log = try Descriptor.pair()
        var environment = environment
        environment[ParentWatchdog.environmentVariable] = String(Child.heartbeatDescriptor)
        // A test's crash point ends a process once, not after each restart.
        if !isFirst { environment["COUNTERFOIL_CRASH_AT"] = nil }
        let options = ["--replica", String(name.number), "--log-level", logLevel.rawValue]
        let descriptors = [
            (log.theirs, STDOUT_FILENO), (log.theirs, STDERR_FILENO),
            (heartbeat.theirs, Child.heartbeatDescriptor),
        ]
        let pid = try spawn(name.program, options, environment, descriptors, snapshot)
        return Child.Process(pid: pid, heartbeat: heartbeat.ours, log: log.ours)
    }

    /// Starts a program that only checks its configuration.
    func startCheck(of program: GroupProgram, _ snapshot: SnapshotFile) throws -> ProgramCheck {
        do throws(SystemFault) {
            let errors = try Descriptor.pair()
            let pid = try spawn(program, ["--check"], environment, [(errors.theirs, STDERR_FILENO)], snapshot)
            return ProgramCheck(program: program, pid: pid, errors: errors.ours)
        } catch {
            throw CommandFailure(description: "\(program.executable) \(ProcessEnd.neverBegan(error.code))")
        }
    }

    private func path(of program: GroupProgram) -> String { "\(folder)/\(program.executable)" }

    private func spawn(
        _ program: GroupProgram,
        _ options: [String],
        _ environment: [String: String],
        _ descriptors: [(ours: Descriptor, theirs: Int32)],
        _ snapshot: SnapshotFile
    ) throws(SystemFault) -> pid_t {
        let variable = [ConfigurationSnapshot.environmentVariable: String(Child.configurationDescriptor)]
        return try Spawn(
            executable: path(of: program),
            arguments: ["--home", home.root] + options,
            environment: environment.merging(variable) { $1 }
        )
        .start(with: descriptors + [(snapshot.descriptor, Child.configurationDescriptor)])
    }
}
