/// What a statement does, as far as a recorder of row changes must know it, by its first words.
enum StatementKind: Equatable {
    case read
    case rows
    case schema
    case savepoint(String)
    case release(String)
    case rollback(to: String)
    /// Nothing that a replicated transaction may do; why.
    case forbidden(String)

    init(_ sql: String) {
        var words = Words(sql)
        switch words.next() {
        case "select", "values": self = .read
        // What it changes, if anything, the hook tells.
        case "with", "delete": self = .rows
        case "insert", "update": self = Self.change(&words)
        case "create": self = Self.creation(&words)
        case "alter", "drop": self = .schema
        case "savepoint": self = words.next().map(Self.savepoint) ?? .forbidden("a savepoint without a name")
        case "release":
            self = words.name(after: ["savepoint"]).map(Self.release) ?? .forbidden("a release of nothing")
        case "rollback":
            let name = words.name(after: ["transaction", "to", "savepoint"])
            self = name.map(Self.rollback) ?? .forbidden("the end of a transaction inside of it")
        case "pragma" where !sql.utf8.contains(UInt8(ascii: "=")): self = .read
        case let word: self = .forbidden("a statement that begins with \(word ?? "nothing")")
        }
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
        default: .schema
        }
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

    /// The first word that is none of these; nil if there is none.
    mutating func name(after fillers: Set<String>) -> String? {
        while let word = next() {
            if !fillers.contains(word) { return word }
        }
        return nil
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
