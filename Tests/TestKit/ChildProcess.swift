import Foundation
package import Glibc
import NIOConcurrencyHelpers

/// A program that a test started; its output goes to files.
package final class ChildProcess: Sendable {
    package enum End: Equatable, Sendable {
        case exited(Int32)
        case signaled(Int32)
    }

    package let pid: pid_t
    private let outputFile: String
    private let errorFile: String
    private let ended = NIOLockedValueBox<End?>(nil)

    /// Starts a program.
    ///
    /// `folder` is where its output goes, `environment` what is added to that of the tests, `input` the file that is
    /// its standard input; with `showsErrors` its standard error is ours.
    package init(
        _ executable: String,
        _ arguments: [String],
        folder: String,
        environment: [String: String] = [:],
        input: String = "/dev/null",
        showsErrors: Bool = false
    ) throws {
        let name = "\(folder)/\(URL(filePath: executable).lastPathComponent).\(UUID().uuidString.prefix(8))"
        outputFile = name + ".out"
        errorFile = name + ".err"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        var attributes = Self.attributesWithoutBlockedSignals()
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputFile, flags, 0o600)
        if !showsErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorFile, flags, 0o600) }
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var pid: pid_t = 0
        let code = Self.withStrings([executable] + arguments) { arguments in
            Self.withStrings(all.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw HarnessFault("\(executable): \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    /// The threads of a test block signals; its children must not inherit that.
    private static func attributesWithoutBlockedSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        return attributes
    }

    private static func withStrings<Value>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    package var output: String { Self.text(outputFile) }
    package var errors: String { Self.text(errorFile) }

    private static func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }

    package var end: End? {
        ended.withLockedValue { known in
            if let known { return known }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let signal = status & 0x7F
            known = signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
            return known
        }
    }

    /// Sends a signal, unless the process has ended already.
    package func send(_ signal: Int32) {
        if end == nil { kill(pid, signal) }
    }

    package func finish(within limit: Duration = .seconds(20)) async throws -> End {
        try await eventually("process \(pid) ends", within: limit, detail: { errors }) { end }
    }

    /// Ends it whatever it does, and waits for that.
    package func destroy() {
        send(SIGKILL)
        var status: Int32 = 0
        if end == nil { waitpid(pid, &status, 0) }
    }
}
