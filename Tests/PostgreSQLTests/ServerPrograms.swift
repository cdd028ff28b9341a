import Foundation

/// PostgreSQL's own programs, as Debian's packages bring them; without them a test fails and says what to do.
enum ServerPrograms {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// What `deploy/prepare` unpacks, before what is installed.
    private static let tools = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".build/tools").path()

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

    /// A program that is started as somebody who is not root, which PostgreSQL refuses to be.
    static func process(_ name: String, _ arguments: [String]) throws -> Process {
        let program = name.contains("/") ? name : try find(name)
        let process = Process()
        if geteuid() == 0 {
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--", program] + arguments
        } else {
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
        }
        process.environment = environment
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs a program to its end; its output goes through a file, which a server that it starts may keep open.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = try process(name, arguments)
        let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        FileManager.default.createFile(atPath: file.path(), contents: nil)
        defer { unlink(file.path()) }
        let output = try FileHandle(forWritingTo: file)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        try output.close()
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failed(description: "\(name) \(arguments.joined(separator: " ")): \(text)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
