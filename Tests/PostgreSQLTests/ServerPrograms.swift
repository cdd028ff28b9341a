import Foundation

/// PostgreSQL's own programs, as Debian's packages bring them; without them a test fails and says what to do.
enum ServerPrograms {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// What `deploy/prepare` unpacks, before what is installed; where nobody else may look, a copy of it.
    private static let tools: String = {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let place = repository.appending(path: ".build/tools").path()
        guard geteuid() == 0, FileManager.default.fileExists(atPath: place), !isOpen(place) else {
            return place
        }
        do {
            let folder = FileManager.default.currentCopy
            try FileManager.default.copyItem(atPath: place, toPath: folder)
            atexit {
                do { try FileManager.default.removeItem(atPath: FileManager.default.currentCopy) } catch {}
            }
            return folder
        } catch { return place }
    }()

    /// Whether everybody may pass all folders on the way.
    private static func isOpen(_ path: String) -> Bool {
        var folder = URL(filePath: path)
        while folder.path() != "/" {
            var status = stat()
            guard stat(folder.path(), &status) == 0, status.st_mode & 0o001 != 0 else { return false }
            folder = folder.deletingLastPathComponent()
        }
        return true
    }

    private static let roots = [tools, ""]

    static func find(_ name: String) throws -> String {
        for root in roots {
            let versions = root + "/usr/lib/postgresql"
            let numbers = files(in: versions).compactMap { Int($0) }.sorted(by: >)
            let places = numbers.map { "\(versions)/\($0)/bin" } + [root + "/usr/sbin", root + "/usr/bin"]
            for place in places where FileManager.default.isExecutableFile(atPath: "\(place)/\(name)") {
                return "\(place)/\(name)"
            }
        }
        throw Missing(
            description: "there is no program \(name): `deploy/test` brings it, or install Debian's packages"
                + " postgresql-15 and pgbouncer (a server of theirs need not run)"
        )
    }

    private static func files(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }

    /// Where unpacked programs find libraries.
    private static var environment: [String: String] {
        let folder = tools + "/usr/lib"
        let triplets = files(in: folder).filter { $0.hasSuffix("-linux-gnu") }.map { "\(folder)/\($0)" }
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
        if !triplets.isEmpty { environment["LD_LIBRARY_PATH"] = triplets.joined(separator: ":") }
        environment["LC_ALL"] = "C.UTF-8"
        return environment
    }

    /// Runs a program to its end, as somebody who is not root, which PostgreSQL refuses to be.
    ///
    /// Its output goes through a file, which a server that it starts may keep open.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> String {
        let program = name.contains("/") ? name : try find(name)
        let file = "/tmp/output-\(UUID().uuidString)"
        defer { unlink(file) }
        let pid = try spawn(asOther + [program] + arguments, input: nil, output: file)
        let status = wait(for: pid)
        let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        guard status == 0 else {
            throw Failed(description: "\(name) \(arguments.joined(separator: " ")): \(text)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func wait(for pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static var asOther: [String] {
        // Not in a folder that they may not read.
        let here = ["/usr/bin/env", "--chdir=/"]
        guard geteuid() == 0 else { return here }
        return here + ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]
    }

    /// Starts a program that inherits nothing but its input and output.
    static func spawn(_ words: [String], input: Int32?, output: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The threads of a test block signals.
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(
            &actions,
            STDOUT_FILENO,
            output,
            O_WRONLY | O_CREAT | O_APPEND,
            0o666
        )
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let arguments = words.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for copy in arguments + variables { free(copy) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
        guard code == 0 else { throw Failed(description: "\(words[0]): \(String(cString: strerror(code)))") }
        return pid
    }
}

extension FileManager {
    /// Where this process has its copy of the unpacked programs.
    fileprivate var currentCopy: String { "/tmp/pg-programs-\(getpid())" }
}
