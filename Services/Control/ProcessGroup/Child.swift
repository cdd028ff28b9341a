import Glibc
import Program

/// One replica with its process, the socket that is its leash, and the pipe in which it writes its log.
struct Child {
    /// The number of the leash in every child.
    static let leashDescriptor: Int32 = 3
    /// The number of the group's configuration in every child.
    static let configurationDescriptor: Int32 = 4

    struct Process {
        let pid: pid_t
        let leash: Int32
        let log: Int32
        /// Its end of the leash was closed: it has ended or is about to.
        var hasLetGo = false
        var logHasEnded = false
    }

    var machine: ReplicaMachine
    var process: Process?
    var lines = LineSplitter()
    /// How often it was started.
    var starts = 0
    /// The version of the configuration with which it was started last.
    var configuration: String?
    /// The last line that it wrote in this life.
    var lastLine: String?
    /// How it ended last, and the last line of that life.
    var lastEnd: ProcessEnd?
    var lastWords: String?

    init(now: Int64) { machine = ReplicaMachine(now: now) }
}

/// How the programs of a group are started.
struct ChildLauncher {
    /// The folder of the executables.
    let folder: String
    let home: Home
    let logLevel: LogLevel
    let environment: [String: String]

    /// Looks for the programs before any of them is started.
    ///
    /// - Throws: `CommandFailure` that names the one that is missing.
    func checkExecutables() throws {
        for program in GroupProgram.allCases {
            let path = "\(folder)/\(program.executable)"
            guard access(path, X_OK) == 0 else {
                throw CommandFailure(description: "\(path) is missing; install all programs into one folder")
            }
        }
    }

    /// Starts a replica.
    ///
    /// - Throws: `SystemFault` when there are no descriptors left.
    func start(
        _ name: ReplicaName,
        _ configuration: GroupConfiguration,
        isFirst: Bool
    ) throws -> Result<Child.Process, ProcessStartFailure> {
        let leash = try Descriptors.socketPair()
        let log = try Descriptors.pipe()
        defer {
            close(leash.theirs)
            close(log.write)
        }
        var spawn = spawn(name, leash: leash.theirs, log: log.write, isFirst: isFirst)
        tell(configuration, to: &spawn)
        let started = spawn.start()
        if case .failure = started {
            close(leash.ours)
            close(log.read)
        }
        return started.map { Child.Process(pid: $0, leash: leash.ours, log: log.read) }
    }

    /// Starts a program that only reads its configuration and says what is wrong with it.
    ///
    /// - Throws: `SystemFault`, `CommandFailure` when it cannot be started.
    func startCheck(of program: GroupProgram, _ configuration: GroupConfiguration) throws -> ProgramCheck {
        let errors = try Descriptors.pipe()
        let null = try Descriptors.raised(open("/dev/null", O_WRONLY | O_CLOEXEC))
        defer {
            close(errors.write)
            close(null)
        }
        var spawn = Spawn(
            executable: "\(folder)/\(program.executable)",
            arguments: ["--home", home.root, "--check"],
            environment: environment,
            descriptors: [(null, STDOUT_FILENO), (errors.write, STDERR_FILENO)]
        )
        tell(configuration, to: &spawn)
        switch spawn.start() {
        case .success(let pid): return ProgramCheck(pid: pid, errors: errors.read)
        case .failure(let failure):
            close(errors.read)
            throw CommandFailure(
                description: "\(program.executable) \(ProcessEnd.neverBegan(failure.code))"
            )
        }
    }

    private func tell(_ configuration: GroupConfiguration, to spawn: inout Spawn) {
        spawn.environment[ConfigurationSnapshot.environmentVariable] = String(Child.configurationDescriptor)
        spawn.descriptors.append((configuration.descriptor, Child.configurationDescriptor))
    }

    private func spawn(_ name: ReplicaName, leash: Int32, log: Int32, isFirst: Bool) -> Spawn {
        var environment = environment
        environment[Leash.environmentVariable] = String(Child.leashDescriptor)
        // A point at which a test ends a process ends it once, not again and again.
        if !isFirst { environment["COUNTERFOIL_CRASH_AT"] = nil }
        return Spawn(
            executable: "\(folder)/\(name.program.executable)",
            arguments: [
                "--home", home.root, "--replica", String(name.number), "--log-level", logLevel.rawValue,
            ],
            environment: environment,
            descriptors: [(log, STDOUT_FILENO), (log, STDERR_FILENO), (leash, Child.leashDescriptor)]
        )
    }
}
