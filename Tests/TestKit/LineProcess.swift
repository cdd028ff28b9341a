import Foundation
import Glibc
import NIOConcurrencyHelpers
import Program

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
    /// - Throws: `SystemFault` when there is no such program.
    package init(_ command: [String], environment: [String: String]) throws {
        let (ours, its) = (try Self.sockets(), try Self.sockets())
        defer {
            close(ours.theirs)
            close(its.theirs)
        }
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let program = Spawn(executable: command[0], arguments: Array(command.dropFirst()), environment: all)
        do throws(SystemFault) {
            pid = try program.start(with: [(ours.theirs, STDIN_FILENO), (its.theirs, STDOUT_FILENO)])
        } catch {
            close(ours.own)
            close(its.own)
            throw error
        }
        input = ours.own
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

    /// Two ends, which are closed in other children from the first moment on.
    private static func sockets() throws -> (own: Int32, theirs: Int32) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        var descriptors: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
            throw SystemFault("socketpair")
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
