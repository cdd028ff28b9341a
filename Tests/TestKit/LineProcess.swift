import Foundation
import Glibc
import NIOConcurrencyHelpers

/// A program that is told lines and writes lines, and may be killed at any moment.
package final class LineProcess: Sendable {
    private let pid: pid_t
    /// What it writes on its standard output; they end when it does.
    package let lines: AsyncStream<String>
    private let input: Int32
    private let isReaped = NIOLockedValueBox(false)
    private let isKilled = NIOLockedValueBox(false)

    /// Starts a program that is searched as a shell searches it; `environment` is added to ours.
    ///
    /// Its standard error is ours.
    ///
    /// - Throws: `HarnessFault` when there is no such program.
    package init(_ command: [String], environment: [String: String]) throws {
        let (ours, its) = (try Self.sockets(), try Self.sockets())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        var attributes = Self.attributes()
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            close(ours.theirs)
            close(its.theirs)
        }
        posix_spawn_file_actions_adddup2(&actions, ours.theirs, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, its.theirs, STDOUT_FILENO)
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments = command.map { strdup($0) } + [nil]
        var variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else {
            close(ours.own)
            close(its.own)
            throw HarnessFault("\(command[0]): \(String(cString: strerror(code)))")
        }
        (self.pid, input) = (pid, ours.own)
        let (lines, line) = AsyncStream<String>.makeStream()
        self.lines = lines
        Thread { Self.read(its.own, into: line) }.start()
    }

    deinit {
        kill()
        close(input)
    }

    /// Tells it a line; one that has ended hears nothing.
    package func tell(_ line: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var rest = try (encoder.encode(line) + Data("\n".utf8))[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Kills it, together with what it has started, and waits for that.
    package func kill() {
        isKilled.withLockedValue { $0 = true }
        isReaped.withLockedValue { isReaped in
            guard !isReaped else { return }
            Glibc.kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            isReaped = true
        }
    }

    /// Whether somebody has killed it.
    package var wasKilled: Bool { isKilled.withLockedValue { $0 } }

    /// Signals are as usual for it, and whatever it starts can be killed with it.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        var usual = sigset_t()
        sigemptyset(&none)
        sigemptyset(&usual)
        for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&usual, number) }
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    /// Two ends, which are closed in other children from the first moment on.
    private static func sockets() throws -> (own: Int32, theirs: Int32) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        var descriptors: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
            throw HarnessFault("socketpair: \(String(cString: strerror(errno)))")
        }
        return (descriptors[0], descriptors[1])
    }

    private static func read(_ file: Int32, into line: AsyncStream<String>.Continuation) {
        var rest = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line.yield(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[(end + 1)...])
            }
        }
        close(file)
        line.finish()
    }
}
