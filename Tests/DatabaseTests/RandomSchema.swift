/// A random table, and random statements about it.
struct RandomTable {
    private enum Key: CaseIterable {
        case rowid, number, text, pair, none
    }

    private static let types = ["INTEGER", "TEXT", "REAL", "BLOB", "ANY"]
    private static let literals: [String: [String]] = [
        "INTEGER": ["0", "1", "-1", "9223372036854775807", "-9223372036854775808", "7"],
        "TEXT": ["''", "'a'", "'a' || char(0)", "'ä€😀'", "CAST(x'FF80' AS TEXT)", "'12'"],
        "REAL": ["0.5", "3.0", "1e999", "-1e999", "-0.0", "12345678901234567.0"],
        "BLOB": ["x''", "x'00FF'", "zeroblob(40)"],
    ]

    let name: String
    private(set) var columns: [(name: String, type: String)]
    private let key: Key
    private let isStrict: Bool
    private let isWithoutRowid: Bool
    let creation: [String]

    init(_ name: String, _ random: inout RowRandom) {
        self.name = name
        let key = random.pick(Key.allCases)
        self.key = key
        isStrict = random.below(3) > 0
        isWithoutRowid = key != .none && random.isTrue
        columns = (0...random.below(4)).map { ("c\($0)", random.pick(Self.types)) }
        var parts: [String]
        switch key {
        case .rowid, .number:
            parts = ["k \(key == .rowid ? "INTEGER" : "INT") NOT NULL PRIMARY KEY"]
        case .text: parts = ["k TEXT NOT NULL PRIMARY KEY"]
        case .pair: parts = ["k INTEGER NOT NULL", "l TEXT NOT NULL"]
        case .none: parts = ["k INTEGER"]
        }
        let strict = isStrict
        parts += columns.map { "\($0.name) \(!strict && $0.type == "ANY" ? "" : $0.type)" }
        if random.below(3) == 0 { parts.append("UNIQUE (k, c0)") }
        if random.below(3) == 0 { parts.append("CHECK (c0 IS NOT 7)") }
        // The key's columns stand behind another one, and in another order than in the key.
        if key == .pair { parts.append("PRIMARY KEY (l, k)") }
        let options = (isStrict ? ["STRICT"] : []) + (isWithoutRowid ? ["WITHOUT ROWID"] : [])
        var creation = [
            "CREATE TABLE \(name) (\(parts.joined(separator: ", "))) \(options.joined(separator: ", "))"
        ]
        if random.isTrue { creation.append("CREATE INDEX \(name)_c0 ON \(name) (c0)") }
        if random.below(3) == 0 {
            creation.append(
                """
                CREATE TRIGGER \(name)_stays BEFORE DELETE ON \(name) WHEN old.c0 IS 1
                BEGIN SELECT RAISE(ABORT, 'it stays'); END
                """
            )
        }
        if random.below(3) == 0 {
            creation.append(
                """
                CREATE TRIGGER \(name)_told AFTER UPDATE ON \(name)
                BEGIN INSERT INTO told VALUES ('\(name)', old.k); END
                """
            )
        }
        self.creation = creation
    }

    private func literal(_ type: String, _ random: inout RowRandom) -> String {
        if random.below(6) == 0 { return "NULL" }
        // Now and then a value of another type: a STRICT table refuses it, the others keep it.
        let type = type == "ANY" || random.below(12) == 0 ? random.pick(Self.types.dropLast()) : type
        return random.pick(Self.literals[type] ?? ["NULL"])
    }

    private func keys(_ random: inout RowRandom) -> [(name: String, value: String)] {
        let number = String(random.below(12))
        return switch key {
        case .text: [("k", "'\(number)'")]
        case .pair: [("k", number), ("l", random.pick(["'x'", "'y'", "''"]))]
        case .rowid, .number, .none: [("k", number)]
        }
    }

    private func condition(_ random: inout RowRandom) -> String {
        switch random.below(5) {
        case 0: ""
        case 1: " WHERE c0 IS \(literal(columns[0].type, &random))"
        case 2: " WHERE k > \(key == .text ? "'4'" : "4")"
        default: " WHERE " + keys(&random).map { "\($0.name) = \($0.value)" }.joined(separator: " AND ")
        }
    }

    /// A statement that changes rows, or tries to.
    func statement(_ random: inout RowRandom) -> String {
        switch random.below(10) {
        case 0...3: return insertion(&random)
        case 4: return "DELETE FROM \(name)" + condition(&random)
        case 5: return "UPDATE \(name) SET " + shift + condition(&random)
        case 6 where !isWithoutRowid && key != .rowid:
            return "UPDATE \(name) SET rowid = rowid + 1000" + condition(&random)
        case 7: return "WITH one AS (SELECT 1) " + update(&random)
        default: return update(&random)
        }
    }

    private var shift: String { key == .text ? "k = k || '0'" : "k = k + 20" }

    private func insertion(_ random: inout RowRandom) -> String {
        let keys = keys(&random)
        let names = keys.map(\.name) + columns.map(\.name)
        let values = keys.map(\.value) + columns.map { literal($0.type, &random) }
        let either = random.below(3) == 0 ? "INSERT OR IGNORE" : "INSERT"
        let row =
            "\(either) INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
        guard key != .none, either == "INSERT", random.isTrue else { return row }
        return row + " ON CONFLICT DO UPDATE SET c0 = excluded.c0"
    }

    private func update(_ random: inout RowRandom) -> String {
        let column = random.pick(columns)
        var value = literal(column.type, &random)
        // Some rows are changed before one fails.
        if random.below(6) == 0 { value = "CASE WHEN k IN (3, '3') THEN x'00' ELSE \(value) END" }
        let second = random.pick(columns)
        let also = second.name == column.name ? "" : ", \(second.name) = \(literal(second.type, &random))"
        return "UPDATE \(name) SET \(column.name) = \(value)\(also)" + condition(&random)
    }

    /// A statement that changes the schema; the table stays what the other statements know.
    func schemaChange(_ number: Int, _ random: inout RowRandom) -> [String] {
        switch random.below(3) {
        case 0: ["ALTER TABLE \(name) ADD COLUMN e\(number) TEXT DEFAULT 'x'"]
        case 1: ["CREATE INDEX IF NOT EXISTS \(name)_k ON \(name) (k)"]
        default:
            [
                "ALTER TABLE \(name) ADD COLUMN d\(number) INTEGER",
                "ALTER TABLE \(name) DROP COLUMN d\(number)",
            ]
        }
    }
}
