import Glibc

/// Starts programs with `posix_spawn`; a child inherits only what is listed here, and standard error.
///
/// All our descriptors close on exec; a child's are duplicated to fixed numbers.
/// swift-subprocess passes only the three standard descriptors and closes all others.
struct Spawn {
    /// `POSIX_SPAWN_SETSID` of the C library; missing in Swift's module.
    private static let newSession: Int16 = 0x80
    /// Signals whose handling a child must not inherit.
    private static let resetSignals = [SIGPIPE, SIGTERM, SIGINT, SIGHUP]

    let executable: String
    let arguments: [String]
    let environment: [String: String]
    /// Our descriptors with their numbers in the child; standard input and output default to `/dev/null`.
    let descriptors: [(ours: Descriptor, theirs: Int32)]
    /// Whether the child gets a new session and outlives our terminal; otherwise only a new process group.
    var leavesSession = false

    func start() throws(SystemFault) -> pid_t {
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
            posix_spawn_file_actions_adddup2(&actions, descriptor.ours.number, descriptor.theirs)
        }
        setAttributes(&attributes)
        var pid: pid_t = 0
        let code = Self.withStrings([executable] + arguments) { arguments in
            Self.withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                withExtendedLifetime(descriptors) {
                    posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
                }
            }
        }
        guard code == 0 else { throw SystemFault("posix_spawn", executable, code: code) }
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
