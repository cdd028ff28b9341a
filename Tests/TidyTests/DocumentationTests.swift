import Testing

/// What other modules may use says what it is.
@Suite struct Documentation {
    /// Names whose meaning is that of the protocol they come from.
    static let witnesses: Set<String> = [
        "description", "debugDescription", "errorDescription", "hash", "rawValue", "isValid", "type", "Reply",
        "body", "allCases", "id", "Failure", "Element", "exitCode", "worker",
    ]

    /// Files whose functions do what the protocol that they conform to says.
    static let conformances = [
        "Database/SQLiteDatabase": ["write", "checkpoint", "close"],
        "Database/ReplicatedDatabase": ["write", "counts", "checkpoint"],
        "Database/MemoryLog": [
            "append", "head", "entries", "write", "keep", "snapshots", "part", "pruneSome",
        ],
        "PostgreSQL/PostgreSQLLog": [
            "append", "expect", "head", "entries", "write", "keep", "snapshots", "part", "pruneSome",
        ],
    ]

    @Test func `Every declaration that other modules see has a doc comment`() throws {
        let pattern =
            /^\s*(?:@\w+(?:\([^)]*\))? +)*(?:package|public)(?:\(set\))? +(?:[a-z]+(?:\(\w+\))? +)*?(func|var|let|struct|enum|class|actor|protocol|typealias|init|subscript|macro)\b ?([^\s(<:]*)/
        for file in try House.sources(House.product) {
            let code = file.codeLines
            for (index, line) in code.enumerated() {
                guard let match = line.firstMatch(of: pattern) else { continue }
                let (kind, name) = (String(match.1), String(match.2))
                if Self.speaksForItself(kind, name, line, file) { continue }
                #expect(Self.isDocumented(file, index), "\(file.path):\(index + 1) \(kind) \(name)")
            }
        }
    }

    /// Stored members are named after what they hold, initialisers after what they take, and witnesses do what their
    /// protocol says.
    private static func speaksForItself(
        _ kind: String,
        _ name: String,
        _ line: Substring,
        _ file: SourceFile
    ) -> Bool {
        if kind == "init" || witnesses.contains(name) { return true }
        if kind == "let" || kind == "var" { return !line.contains("{") || line.contains("}") }
        let isOperator = kind == "func" && name.isEmpty
        if isOperator || conformances[file.nameInModule]?.contains(name) == true { return true }
        return file.nameInModule == "Contracts/KeyedContainers"
    }

    private static func isDocumented(_ file: SourceFile, _ index: Int) -> Bool {
        var above = index - 1
        while above >= 0, file.lines[above].contains(/^\s*@/) { above -= 1 }
        return above >= 0 && file.lines[above].contains(/^\s*(\/\/\/|\*\/)/)
    }

    @Test func `Every test has a sentence for a name`() throws {
        for file in try House.sources(["Tests"]) {
            for match in file.code.matches(of: /@Test(?:\([^)]*\))?\s+(?:@\w+\s+)*func (\w+)/) {
                Issue.record("\(file.path): \(match.1) is no sentence in backticks")
            }
        }
    }
}
