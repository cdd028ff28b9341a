import Foundation

/// One Swift file of the repository, as the rules of the house look at it.
struct SourceFile: Sendable, CustomStringConvertible {
    /// Relative to the repository, such as `Shared/Contracts/Event.swift`.
    let path: String
    let text: String
    /// The text with comments and the insides of string literals blanked out, line for line.
    let code: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        var scanner = SourceScanner(text)
        code = scanner.code()
    }

    var description: String { path }
    var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var codeLines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Whether the file lies in one of these folders, or is one of these files.
    func isIn(_ places: [String]) -> Bool {
        places.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }

    /// The modules that the file imports.
    var imports: [String] {
        code.matches(of: Self.importLine).map { String($0.1) }
    }

    private static var importLine: Regex<(Substring, Substring)> {
        /(?m)^(?:@\w+ +|(?:public|package|internal|fileprivate|private) +)*import +(?:(?:struct|enum|class|func|protocol) +)?(\w+)/
    }
}

/// The repository as it lies on the disk.
enum House {
    static let root = URL(filePath: #filePath)
        .resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file below these folders, in the order of their paths.
    static func sources(_ folders: String...) throws -> [SourceFile] {
        try all.get().filter { $0.isIn(folders) }
    }

    /// Read once, as many rules look at the same files.
    private static let all = Result {
        try ["Services", "Shared", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
                .filter { $0.hasSuffix(".swift") }
                .map { try SourceFile(path: "\(folder)/\($0)", text: contents("\(folder)/\($0)")) }
        }
        .sorted { $0.path < $1.path }
    }

    /// The text of a file of the repository.
    static func contents(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
