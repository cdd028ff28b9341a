import Glibc

/// Starts programs with `posix_spawn`; only what is named here reaches the child, and standard error.
///
/// Every descriptor of ours closes on exec; those that the child needs are duplicated to fixed numbers on the way.
/// swift-subprocess has no way to hand over a descriptor beyond the three standard ones, and closes all others.
struct Spawn {
    /// The flag of the C library for a session of the child's own; missing in Swift's module.
    private static let newSession: Int16 = 0x80
    /// The signals whose handling a child must not inherit.
    private static let resetSignals = [SIGPIPE, SIGTERM, SIGINT, SIGHUP]

    let executable: String
    let arguments: [String]
    let environment: [String: String]
    /// Descriptors of ours, each with its number in the child; standard input and output are `/dev/null` without one.
    let descriptors: [(ours: Int32, theirs: Int32)]
    /// Whether the child leaves our session, so that it outlives our terminal; else only our process group.
    var leavesSession = false

    /// Starts the program.
    func start() throws(ProcessStartFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        for descriptor in descriptors {
            posix_spawn_file_actions_adddup2(&actions, descriptor.ours, descriptor.theirs)
        }
        setAttributes(&attributes)
        var pid: pid_t = 0
        let code = Self.withStrings([executable] + arguments) { arguments in
            Self.withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw ProcessStartFailure(code: code) }
        return pid
    }

    private func setAttributes(_ attributes: inout posix_spawnattr_t) {
        var mask = sigset_t()
        sigemptyset(&mask)
        var reset = sigset_t()
        sigemptyset(&reset)
        for signal in Self.resetSignals { sigaddset(&reset, signal) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setsigdefault(&attributes, &reset)
        posix_spawnattr_setpgroup(&attributes, 0)
        let apart = leavesSession ? Self.newSession : Int16(POSIX_SPAWN_SETPGROUP)
        let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | apart
        posix_spawnattr_setflags(&attributes, flags)
    }

    private static func withStrings<Value>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// Why the system did not start a program.
struct ProcessStartFailure: Error, Equatable {
    let code: Int32
}
