import Testing

@testable import Database

@Suite struct `row changes` {
    private let replay: RowReplay

    init() throws {
        replay = try RowReplay()
        try replay.run(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, amount INTEGER NOT NULL, body ANY) STRICT",
            """
            CREATE TABLE pair (
              a TEXT NOT NULL, b INTEGER NOT NULL, c REAL, PRIMARY KEY (b, a)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE TABLE loose (x, y TEXT)"
        )
    }

    @Test func `make the same rows elsewhere, in every kind of table`() throws {
        try replay.run(
            "INSERT INTO item (name, amount) VALUES ('a', 1), ('b', 2), (NULL, 3)",
            "INSERT INTO pair VALUES ('k', 1, 0.5), ('l', 1, NULL), ('k', 2, 3)",
            "INSERT INTO loose VALUES (1, 'x'), ('1', NULL), (x'31', '')"
        )
        try replay.expectEqual()
        try replay.run(
            "UPDATE item SET amount = amount + 1 WHERE id > 1",
            "UPDATE pair SET c = -1 WHERE b = 1",
            "UPDATE loose SET x = NULL WHERE y = 'x'",
            "DELETE FROM item WHERE name = 'a'",
            "DELETE FROM pair WHERE a = 'l'",
            "DELETE FROM loose WHERE y IS NULL"
        )
        try replay.expectEqual()
        #expect(try replay.count("SELECT * FROM item") == 2)
    }

    @Test func `hold key and changed columns only`() throws {
        let body = String(repeating: "0", count: 1_000)
        try replay.run("INSERT INTO item VALUES (7, 'seven', 1, '\(body)')")
        try replay.run("UPDATE item SET amount = 2, body = '\(body)', name = 'seven'")
        let change = try #require(replay.changes.last)
        #expect(change.steps == 1)
        #expect(change.bytes.count < 32)
        try replay.run("UPDATE item SET amount = 2")
        #expect(replay.changes.last == change, "an update that changes nothing is no change")
        try replay.expectEqual()
    }

    @Test(arguments: [
        "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e999", "-1e999", "0.1", "-0.0",
        "3.0",
        "5e-324", "''", "'a' || char(0) || 'b'", "'ä€😀'", "CAST(x'FF80' AS TEXT)", "x''", "x'00FF00'",
        "zeroblob(300)", "CAST(zeroblob(3) AS TEXT)", "1e999 - 1e999",
    ])
    func `keep a value as it is`(value: String) throws {
        try replay.run(
            "INSERT INTO item VALUES (1, NULL, 1, \(value)), (2, NULL, 1, 'other')",
            "INSERT INTO loose VALUES (\(value), \(value))"
        )
        try replay.run(
            "UPDATE item SET body = \(value) WHERE id = 2",
            "UPDATE item SET body = 'y' WHERE id = 1"
        )
        try replay.run(
            "UPDATE item SET body = \(value) WHERE id = 1",
            "UPDATE loose SET y = 'z' WHERE x IS \(value)"
        )
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM item WHERE body IS \(value)") == 2)
    }

    @Test func `name rows by every 64-bit rowid`() throws {
        try replay.run(
            "INSERT INTO item VALUES (-9223372036854775808, 'least', 1, NULL), (9223372036854775807, 'most', 1, NULL)",
            "INSERT INTO loose (rowid, x) VALUES (-5, 'a'), (9223372036854775806, 'b')"
        )
        try replay.run(
            "UPDATE item SET id = id + 1 WHERE name = 'least'",
            "UPDATE loose SET rowid = 4 WHERE x = 'a'"
        )
        try replay.run("DELETE FROM item WHERE id > 0")
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM loose WHERE rowid = 4") == 1)
    }

    @Test func `follow a key that changes, also where the next row had it`() throws {
        try replay.run("INSERT INTO item (id, name, amount) VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)")
        try replay.run(
            "UPDATE item SET id = id - 1",
            "INSERT INTO pair VALUES ('a', 1, NULL), ('b', 1, NULL)"
        )
        try replay.run("UPDATE pair SET a = 'c', b = b + 1 WHERE a = 'b'")
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM pair WHERE a = 'c' AND b = 2") == 1)
    }

    @Test func `tell of a delete of all rows that was prepared before`() throws {
        try replay.run("INSERT INTO item (name, amount) VALUES ('a', 1), ('b', 2)")
        try replay.run("DELETE FROM item")
        try replay.run("INSERT INTO item (name, amount) VALUES ('c', 1)")
        try replay.run("DELETE FROM item")
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM item") == 0)
    }

    /// The negative control of the test above.
    @Test func `miss such a delete where the hook is set late, which the comparison finds`() throws {
        struct Stop: Error {}
        let connection = try replay.copy.connection
        let delete = "DELETE FROM item"
        try replay.run("INSERT INTO item (name, amount) VALUES ('a', 1), ('b', 2)")
        #expect(throws: Stop.self) {
            try replay.copy.transaction { connection in
                try connection.execute(delete, [])
                throw Stop()
            }
        }
        let recorder = RowRecorder(handle: connection.handle)
        try replay.copy.transaction { connection in
            try recorder.begin(connection)
            try RecordingConnection(connection, recorder).execute(delete, [])
            #expect(try recorder.finish().steps == 0)
        }
        #expect(try replay.difference() == "item has 1 in the first store alone")
    }

    // MARK: What is taken back

    @Test func `end with a transaction that is rolled back`() throws {
        struct Stop: Error {}
        let before = replay.changes.count
        #expect(throws: Stop.self) {
            try replay.write { connection in
                try connection.execute("INSERT INTO loose VALUES (1, 'x')", [])
                throw Stop()
            }
        }
        #expect(replay.changes.count == before)
        try replay.run("INSERT INTO loose VALUES (2, 'y')")
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM loose") == 1)
    }

    @Test func `know the schema again after it was rolled back`() throws {
        struct Stop: Error {}
        for column in ["name", "amount"] {
            #expect(throws: Stop.self) {
                try replay.write { connection in
                    try connection.execute(
                        "CREATE TABLE later (\(column) TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID",
                        []
                    )
                    try connection.execute("INSERT INTO later VALUES ('x')", [])
                    throw Stop()
                }
            }
        }
        try replay.run(
            "CREATE TABLE later (id INTEGER PRIMARY KEY, other TEXT)",
            "INSERT INTO later VALUES (1, 'y')"
        )
        #expect(throws: Stop.self) {
            try replay.write { connection in
                try connection.execute("ALTER TABLE later DROP COLUMN other", [])
                throw Stop()
            }
        }
        try replay.run("UPDATE later SET other = 'z'")
        try replay.expectEqual()
    }

    /// SQLite numbers the next change of the schema like the one that was rolled back.
    @Test func `do not believe in a schema that was read in a transaction that was rolled back`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try replay.write { connection in
                try connection.execute("CREATE TABLE later (id INTEGER PRIMARY KEY)", [])
                try connection.execute("INSERT INTO later VALUES (1)", [])
                throw Stop()
            }
        }
        for store in [replay.owner, replay.copy] {
            try store.write { _ = try $0.execute("CREATE TABLE other (id INTEGER PRIMARY KEY)", []) }
        }
        try replay.run("INSERT INTO other VALUES (1)")
        try replay.expectEqual()
    }

    // MARK: The schema

    @Test func `carry migrations as text, in order with the rows`() throws {
        try replay.run("INSERT INTO loose VALUES (1, 'x')")
        #expect(replay.entries.last?.kind == .rows)
        try replay.write { connection in
            let steps = Migration(
                1,
                [
                    "ALTER TABLE loose ADD COLUMN z INTEGER NOT NULL DEFAULT 7", "UPDATE loose SET z = z + 1",
                    "CREATE INDEX loose_z ON loose (z)", "ALTER TABLE loose DROP COLUMN y", "DROP TABLE pair",
                    "ALTER TABLE item RENAME TO thing", "INSERT INTO thing (name, amount) VALUES ('new', 1)",
                ]
            )
            try Schema("part", [steps]).migrate(connection)
        }
        #expect(replay.entries.last?.kind == .schema)
        try replay.expectEqual()
        let known = replay.entries.count
        try replay.write { try Schema("part", [Migration(1, [])]).migrate($0) }
        #expect(replay.entries.count == known, "a table that is there already is no change")
        try replay.run("UPDATE loose SET z = 0", "DELETE FROM thing")
        try replay.expectEqual()
    }

    /// A row from before the column was added is told with NULL in it.
    @Test func `tell of a default that is taken away from an old row`() throws {
        try replay.run("INSERT INTO loose VALUES (1, 'x'), (2, 'y')")
        try replay.run("ALTER TABLE loose ADD COLUMN z INTEGER DEFAULT 7")
        try replay.run("UPDATE loose SET z = NULL WHERE x = 1", "UPDATE loose SET y = 'w' WHERE x = 2")
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM loose WHERE z IS NULL") == 1)
        #expect(try replay.count("SELECT 1 FROM loose WHERE z = 7 AND y = 'w'") == 1)
    }

    @Test(arguments: [
        "CREATE TABLE bad (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1) VIRTUAL)",
        "CREATE TABLE bad (a INTEGER, b INTEGER AS (a + 1) STORED)",
        "CREATE TABLE bad (a INTEGER UNIQUE ON CONFLICT REPLACE)",
        "CREATE TABLE bad (rowid TEXT, _rowid_ TEXT, oid TEXT)",
    ])
    func `refuse a table of which they could not tell`(table: String) throws {
        #expect(throws: StoreError.self) { try replay.run(table, "INSERT INTO loose VALUES (1, 'x')") }
        try replay.run("INSERT INTO loose VALUES (2, 'y')")
        try replay.expectEqual()
    }

    @Test(arguments: [
        "INSERT OR REPLACE INTO item (id, amount) VALUES (1, 1)",
        "REPLACE INTO item (id, amount) VALUES (1, 1)",
        "UPDATE OR REPLACE item SET id = 1", "INSERT OR FAIL INTO loose VALUES (1, 2)",
        "INSERT OR ROLLBACK INTO loose VALUES (1, 2)", "COMMIT", "ROLLBACK", "BEGIN", "VACUUM", "ANALYZE",
        "ATTACH ':memory:' AS other", "PRAGMA user_version = 3", "CREATE TEMP TABLE t (id INTEGER)",
        "CREATE VIRTUAL TABLE t USING fts5 (a)", "EXPLAIN SELECT 1", "REINDEX", "",
        "SAVEPOINT s", "RELEASE s", "ROLLBACK TO s", "PRAGMA user_version(3)", "PRAGMA main.user_version(3)",
        "WITH n AS (SELECT 1) INSERT OR REPLACE INTO item (id, amount) SELECT 1, 1 FROM n",
        "WITH n AS (SELECT 1) REPLACE INTO item (id, amount) SELECT 1, 1 FROM n",
        "CREATE TRIGGER t AFTER DELETE ON item BEGIN REPLACE INTO loose VALUES (1, 2); END",
    ])
    func `refuse a statement that no copy could repeat`(statement: String) throws {
        let fault = #expect(throws: StoreError.self) { try replay.run(statement) }
        #expect("\(String(describing: fault))".contains("cannot be replicated"))
        try replay.run("INSERT INTO loose VALUES (1, 'x')")
        try replay.expectEqual()
    }
}
