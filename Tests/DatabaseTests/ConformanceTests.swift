import Database
import Testing

@Suite struct `a database` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func opened() throws -> any Database {
        let database = try SQLiteDatabase(path: folder.path)
        try database.write { connection in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS thing (
                  id TEXT NOT NULL PRIMARY KEY, amount INTEGER NOT NULL CONSTRAINT positive CHECK (amount > 0), body BLOB
                )
                """
            )
        }
        return database
    }

    @Test func `keeps what was committed, also for the next one who opens it`() throws {
        let first = try opened()
        try first.write {
            try $0.execute(
                "INSERT INTO thing (id, amount, body) VALUES (?, ?, ?)",
                ["a", 7, .blob([1, 0, 255])]
            )
        }
        try first.close()
        let row = try opened().write { try $0.row("SELECT id, amount, body FROM thing") }
        #expect(row?.names == ["id", "amount", "body"])
        #expect(row?.values == ["a", 7, .blob([1, 0, 255])])
    }

    @Test func `rolls everything back when the body throws`() throws {
        struct Stop: Error {}
        let database = try opened()
        #expect(throws: Stop.self) {
            try database.write { connection in
                try connection.execute("INSERT INTO thing (id, amount) VALUES ('b', 1)")
                throw Stop()
            }
        }
        #expect(try database.write { try $0.rows("SELECT id FROM thing") }.isEmpty)
        try database.write { try $0.execute("INSERT INTO thing (id, amount) VALUES ('c', 1)") }
    }

    @Test func `counts the rows a statement changed`() throws {
        let database = try opened()
        let counts = try database.write { connection in
            try connection.execute("INSERT INTO thing (id, amount) VALUES ('a', 1), ('b', 1)")
            return (
                try connection.execute("UPDATE thing SET amount = 2 WHERE id = \("a") AND amount = \(1)"),
                try connection.execute("UPDATE thing SET amount = 3 WHERE id = \("a") AND amount = \(1)")
            )
        }
        #expect(counts == (1, 0))
    }

    @Test func `names a broken rule of the schema as a constraint`() throws {
        let database = try opened()
        for sql in [
            "INSERT INTO thing (id, amount) VALUES ('z', 0)",
            "INSERT INTO thing (id, amount) VALUES (NULL, 1)",
        ] {
            let fault = #expect(throws: StoreError.self) { try database.write { try $0.execute(sql, []) } }
            guard case .constraint? = fault else {
                Issue.record("\(String(describing: fault)) is no constraint")
                continue
            }
        }
        try database.write { try $0.execute("INSERT INTO thing (id, amount) VALUES ('z', 1)") }
        #expect(throws: StoreError.self) {
            try database.write { try $0.execute("INSERT INTO thing (id, amount) VALUES ('z', 1)") }
        }
    }

    @Test func `says which statement failed, and none of its values`() throws {
        let database = try opened()
        let fault = #expect(throws: StoreError.self) {
            try database.write { try $0.rows("SELECT absent FROM thing WHERE id = \("secret")") }
        }
        let text = "1: no such column: absent, in SELECT absent FROM thing WHERE id = ?"
        #expect(fault == .failed(text))
    }

    @Test func `says when a column holds something else than was asked for`() throws {
        let row = try opened().write {
            try #require(try $0.row("SELECT 'text' AS word, 1 AS number, NULL AS missing"))
        }
        #expect(throws: StoreError.self) { try row["word"] as Int }
        #expect(throws: StoreError.self) { try row["number"] as String }
        #expect(throws: StoreError.self) { try row["missing"] as String }
        #expect(throws: StoreError.self) { try row["absent"] as String? }
        #expect(try row["word"] == "text")
        #expect(try row["number"] as Int? == 1)
        #expect(try row["missing"] as String? == nil)
    }

    @Test func `binds what is interpolated, and never runs it as SQL`() throws {
        let database = try opened()
        let hostile = "a'); DROP TABLE thing; --"
        let found: [String] = try database.write { connection in
            try connection.execute("INSERT INTO thing (id, amount) VALUES (\(hostile), \(1))")
            return try connection.rows("SELECT id FROM \(raw: "thing") WHERE id = \(hostile)") {
                row throws(StoreError) in try row["id"]
            }
        }
        #expect(found == [hostile])
    }

    @Test func `runs each migration once and refuses a newer schema`() throws {
        let database = try opened()
        let first = Schema("part", [Migration(1, ["CREATE TABLE one (id INTEGER)"])])
        let second = Schema(
            "part",
            first.migrations + [Migration(2, ["ALTER TABLE one ADD COLUMN extra TEXT"])]
        )
        try database.write { try first.migrate($0) }
        try database.write { try second.migrate($0) }
        try database.write { try second.migrate($0) }
        #expect(throws: StoreError.newerSchema(found: 2, known: 1)) {
            try database.write { try first.migrate($0) }
        }
    }
}

@Suite struct `the SQLite engine` {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func `refuses a second writer at once instead of waiting`() throws {
        let path = folder.path
        let one = try SQLiteDatabase(path: path)
        try one.write { connection in
            try connection.execute("CREATE TABLE t (id INTEGER)")
            #expect(throws: StoreError.busy) { try SQLiteDatabase(path: path) }
        }
        #expect(throws: StoreError.busy) { try SQLiteDatabase(path: path) }
        try one.close()
        try SQLiteDatabase(path: path).write { try $0.execute("CREATE TABLE u (id INTEGER)") }
    }

    @Test func `runs with full synchronisation in write-ahead mode`() throws {
        let pragmas = try SQLiteDatabase(path: folder.path).write { connection in
            try ["journal_mode", "synchronous"].map { try connection.row("PRAGMA \(raw: $0)")?.values }
        }
        #expect(pragmas == [["wal"], [2]])
    }
}
