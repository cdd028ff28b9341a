/// What a statement does, as far as a recorder of row changes must know it, by its first words.
enum StatementKind: Equatable {
    case read
    case rows
    case schema
    /// Nothing that a replicated transaction may do; why.
    case forbidden(String)

    init(_ sql: String) {
        var words = Words(sql)
        switch words.next() {
        case "select", "values": self = .read
        // What they change, if anything, the hook tells.
        case "delete": self = .rows
        case "with": self = Self.common(&words)
        case "insert", "update": self = Self.change(&words)
        case "create": self = Self.creation(&words)
        case "alter", "drop": self = .schema
        case "pragma": self = Self.pragma(sql, &words)
        case let word: self = .forbidden("a statement that begins with \(word ?? "nothing")")
        }
    }

    /// Somewhere behind a common table expression, and in a trigger, any statement may begin.
    private static func common(_ words: inout Words) -> StatementKind {
        var before: String?
        while let word = words.next() {
            if word == "insert" || word == "update" {
                var rest = words
                let kind = change(&rest)
                if kind != .rows { return kind }
            }
            if before == "replace", word == "into" { return .forbidden("REPLACE") }
            before = word
        }
        return .rows
    }

    /// What a pragma reads with an argument in parentheses; with any other it is told something.
    private static let readings: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    private static func pragma(_ sql: String, _ words: inout Words) -> StatementKind {
        let isTold = sql.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "(") }
        guard isTold else { return .read }
        while let word = words.next() {
            if readings.contains(word) {
                return sql.utf8.contains(UInt8(ascii: "=")) ? .forbidden("PRAGMA") : .read
            }
            if word != "main" { break }
        }
        return .forbidden("a pragma that is told something")
    }

    /// Of a conflict's resolutions `IGNORE` alone leaves no row behind of which nobody is told.
    private static func change(_ words: inout Words) -> StatementKind {
        guard words.next() == "or", let resolution = words.next(), resolution != "ignore" else {
            return .rows
        }
        return resolution == "abort" ? .rows : .forbidden("OR \(resolution.uppercased())")
    }

    private static func creation(_ words: inout Words) -> StatementKind {
        switch words.next() {
        case "temp", "temporary": .forbidden("a temporary table, which no copy has")
        case "virtual": .forbidden("a virtual table, which has no row changes")
        case "trigger": trigger(&words)
        default: .schema
        }
    }

    private static func trigger(_ words: inout Words) -> StatementKind {
        let kind = common(&words)
        return kind == .rows ? .schema : kind
    }

    /// Whether a table's own text asks to replace rows.
    static func hasReplace(_ sql: String) -> Bool {
        var words = Words(sql)
        var before: [String] = []
        while let word = words.next() {
            if word == "replace", before == ["on", "conflict"] { return true }
            before = before.suffix(1) + [word]
        }
        return false
    }
}

/// The words of a statement in small letters; what stands between them is left out.
private struct Words {
    private var rest: Substring.UTF8View

    init(_ sql: String) { rest = sql[...].utf8 }

    mutating func next() -> String? {
        rest = rest.drop { !Self.isInWord($0) }
        let word = rest.prefix(while: Self.isInWord)
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(Substring(word)).lowercased()
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
