package import Glibc

/// A program to be started with `posix_spawn`; a child inherits only what it is started with, and standard error.
///
/// swift-subprocess passes only the three standard descriptors and closes all others.
package struct Spawn {
    /// Who gets the signals of a terminal, or of its end, together with the child.
    package enum Group {
        /// We and the child.
        case ours
        /// The child and what it starts.
        case own
        /// The child and what it starts, which outlive our terminal.
        case ownSession
    }

    /// `POSIX_SPAWN_SETSID` of the C library; missing in Swift's module.
    private static let newSession: Int16 = 0x80
    /// Signals whose handling a child must not inherit.
    private static let resetSignals = [SIGPIPE, SIGTERM, SIGINT, SIGHUP]

    private let executable: String
    private let arguments: [String]
    private let environment: [String: String]
    private let group: Group

    /// `executable` is a path, or a name that is searched as a shell searches it.
    package init(
        executable: String,
        arguments: [String],
        environment: [String: String],
        group: Group = .own
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.group = group
    }

    /// Starts it with descriptors of ours, duplicated to its numbers; input and output default to `/dev/null`.
    ///
    /// All our descriptors close on exec. None of ours has a number that is another's in the child.
    ///
    /// - Throws: `SystemFault` if there is no such program, or no such descriptor.
    package func start(with descriptors: [(ours: Int32, theirs: Int32)] = []) throws(SystemFault) -> pid_t {
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
        for (ours, theirs) in descriptors {
            let code = posix_spawn_file_actions_adddup2(&actions, ours, theirs)
            guard code == 0 else { throw SystemFault("dup2", code: code) }
        }
        setAttributes(&attributes)
        var pid: pid_t = 0
        let code = Self.withStrings([executable] + arguments) { arguments in
            Self.withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawnp(&pid, executable, &actions, &attributes, arguments, environment)
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
        let apart: Int16 =
            switch group {
            case .ours: 0
            case .own: Int16(POSIX_SPAWN_SETPGROUP)
            case .ownSession: Self.newSession
            }
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
