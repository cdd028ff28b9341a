import Foundation
package import Glibc
import NIOConcurrencyHelpers
import Program

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
        let flags = O_WRONLY | O_CREAT | O_APPEND
        var descriptors: [(ours: Int32, theirs: Int32)] = [
            (open(input, O_RDONLY | O_CLOEXEC), STDIN_FILENO),
            (open(outputFile, flags | O_CLOEXEC, 0o600), STDOUT_FILENO),
        ]
        if !showsErrors { descriptors.append((open(errorFile, flags | O_CLOEXEC, 0o600), STDERR_FILENO)) }
        defer { for descriptor in descriptors { close(descriptor.ours) } }
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        pid = try Spawn(executable: executable, arguments: arguments, environment: all, group: .ours)
            .start(with: descriptors)
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
