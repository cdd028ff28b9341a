import Foundation

/// Commands of other programs, for tests that build.
enum Shell {
    struct Failed: Error, CustomStringConvertible {
        let command: String
        let output: String

        var description: String { "\(command)\n\(output)" }
    }

    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a command of bash in a folder; what it printed, unless its exit code is not 0.
    @discardableResult
    static func run(_ command: String, in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-euo", "pipefail", "-c", command]
        process.currentDirectoryURL = folder
        let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: file)
        let output = try FileHandle(forWritingTo: file)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: file, encoding: .utf8)
        try FileManager.default.removeItem(at: file)
        guard process.terminationStatus == 0 else { throw Failed(command: command, output: text) }
        return text
    }

    /// A folder that is gone after the test.
    static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
        try body(folder)
    }
}
