import Foundation
import Glibc

/// A program in the folder of this one.
///
/// Started with `posix_spawn`: Foundation's `Process` waits until nobody holds a socket that it gave to the
/// program, and what `counterfoil up --detach` leaves running holds it on.
struct SiblingProgram {
    /// The program could not do what a benchmark needs of it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A program that runs, and the file that takes its standard output.
    struct Run {
        fileprivate let name: String
        fileprivate let pid: pid_t
        fileprivate let output: String

        /// Asks it to end.
        func terminate() { kill(pid, SIGTERM) }

        /// Ends it whatever it does.
        func destroy() { kill(pid, SIGKILL) }

        /// Waits for its end.
        ///
        /// - Returns: what it wrote on standard output.
        /// - Throws: `Failure` when its exit code is none of `codes`.
        func finish(codes: Set<Int32> = [0]) throws -> Data {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let data = try Data(contentsOf: URL(filePath: output))
            try FileManager.default.removeItem(atPath: output)
            let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            guard codes.contains(code) else { throw Failure(description: "\(name) ended with \(code)") }
            return data
        }
    }

    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    let name: String

    init(_ name: String) { self.name = name }

    /// Starts the program; its standard error is ours.
    func start(_ arguments: [String]) throws -> Run {
        let output = FileManager.default.temporaryDirectory.path() + "cf-bench-\(UUID().uuidString).out"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        let path = Self.folder.appending(path: name).path()
        let strings = ([path] + arguments).map { strdup($0) }
        defer { for string in strings { free(string) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, nil, strings + [nil], environ)
        guard code == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(code)))") }
        return Run(name: name, pid: pid, output: output)
    }

    /// Runs the program to its end, as `Run.finish`.
    @discardableResult
    func run(_ arguments: [String], codes: Set<Int32> = [0]) throws -> Data {
        try start(arguments).finish(codes: codes)
    }
}
