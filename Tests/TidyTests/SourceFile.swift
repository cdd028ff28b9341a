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
    var folder: Substring { path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) }
    /// Such as `Orders/OrderExpiry`: a module has no two files of one name.
    var nameInModule: String {
        let module = path.split(separator: "/")[1]
        return "\(module)/\(name)"
    }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var codeLines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Whether the file lies in one of these folders, or is one of these files.
    ///
    /// `Services/Orders/**/Core` is every `Core` below `Services/Orders`, however deep.
    func isIn(_ places: some Sequence<String>) -> Bool {
        places.contains { place in
            let parts = place.split(separator: "*").map(String.init)
            guard parts.count == 2 else { return path == place || path.hasPrefix(place + "/") }
            let below = String(path.dropFirst(parts[0].count - 1)) + "/"
            return path.hasPrefix(parts[0]) && below.contains(parts[1] + "/")
        }
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

    static let product = ["Services", "Shared"]

    /// Every Swift file, or those below these folders, in the order of their paths.
    static func sources(_ folders: [String] = product + ["Tests"]) throws -> [SourceFile] {
        try sources.get().filter { $0.isIn(folders) }
    }

    /// Read once, as many rules look at the same files.
    private static let sources = Result {
        try texts(in: product + ["Tests"]).filter { $0.path.hasSuffix(".swift") }
            .map { SourceFile(path: $0.path, text: $0.text) }
            .sorted { $0.path < $1.path }
    }

    /// All the repository's own texts, not Swift alone.
    static func texts(
        in folders: [String] = product + ["Tests", "deploy", ".ci"],
        and files: [String] = []
    ) throws -> [(path: String, text: String)] {
        let inFolders = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
                .map { "\(folder)/\($0)" }
        }
        return try (inFolders + files).filter(isFile).map { ($0, try contents($0)) }
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let full = root.appending(path: path).path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// The text of a file of the repository.
    static func contents(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The names of what lies in a folder, itself not included.
    static func entries(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
    }
}
