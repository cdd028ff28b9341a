import Testing

@testable import Database

@Suite struct `a statement that fails in a recorded transaction` {
    private static let table = "CREATE TABLE item (id INTEGER PRIMARY KEY, amount INTEGER) STRICT"
    private static let rows = "INSERT INTO item VALUES (1, 10), (2, 20), (3, 30)"
    private static let wrongType = "UPDATE item SET amount = CASE id WHEN 3 THEN 'x' ELSE amount + 1 END"

    private let replay: RowReplay

    init() throws {
        replay = try RowReplay()
        try replay.run(Self.table, Self.rows)
    }

    /// The transaction, whose body goes on after the fault.
    private func runAnyway(
        _ statement: String,
        on store: (_ body: (any Connection) throws -> Void) throws -> Void
    ) throws {
        try store { expectFailure(statement, $0) }
    }

    private func expectFailure(_ statement: String, _ connection: any Connection) {
        #expect(throws: StoreError.self) { try connection.rows(statement, []) }
    }

    private func amounts(_ store: SQLiteDatabase) throws -> [Int] {
        try store.write { try $0.rows("SELECT amount FROM item ORDER BY id").map { try $0[0] as Int } }
    }

    @Test func `leaves rows changed where it fails at a type, as SQLite does`() throws {
        let plain = try SQLiteDatabase(path: ":memory:")
        try plain.write { connection in
            for statement in [Self.table, Self.rows] { try connection.execute(statement, []) }
        }
        try runAnyway(Self.wrongType) { try plain.write($0) }
        #expect(
            try amounts(plain) != [10, 20, 30],
            "this SQLite takes it back: the refusal is needed no more"
        )
    }

    @Test(arguments: [
        Self.wrongType, "UPDATE item SET amount = amount + json(CASE id WHEN 2 THEN 'x' ELSE '1' END)",
        "UPDATE item SET id = CASE id WHEN 1 THEN 11 ELSE 3 END",
    ])
    func `takes the whole transaction with it, if rows had changed`(statement: String) throws {
        let known = replay.entries.count
        let fault = #expect(throws: StoreError.self) {
            try runAnyway(statement) { body in
                try replay.write { connection in
                    try connection.execute("INSERT INTO item VALUES (4, 40)", [])
                    try body(connection)
                }
            }
        }
        #expect("\(String(describing: fault))".contains("after it had changed rows"))
        #expect(replay.entries.count == known)
        #expect(try amounts(replay.owner) == [10, 20, 30])
        try replay.run("UPDATE item SET amount = amount + 1 WHERE id = 1")
        try replay.expectEqual()
    }

    @Test(arguments: [
        "SELECT * FROM item", "INSERT INTO item VALUES (5, 50)", "CREATE TABLE other (id INTEGER)",
    ])
    func `lets no other statement of the transaction pass`(next: String) throws {
        #expect(throws: StoreError.self) {
            try replay.write { connection in
                expectFailure(Self.wrongType, connection)
                expectFailure(next, connection)
            }
        }
        try replay.expectEqual()
    }

    @Test(arguments: [
        "INSERT INTO item VALUES (1, 40)", "INSERT INTO item VALUES (4, 'x')",
        "UPDATE item SET amount = 'x'", "INSERT INTO nowhere VALUES (1)",
    ])
    func `harms nothing if it had changed nothing`(statement: String) throws {
        try runAnyway(statement) { body in
            try replay.write { connection in
                try connection.execute("INSERT INTO item VALUES (5, 50)", [])
                try body(connection)
                try connection.execute("INSERT INTO item VALUES (6, 60)", [])
            }
        }
        try replay.expectEqual()
        #expect(try amounts(replay.copy) == [10, 20, 30, 50, 60])
    }

    @Test func `harms nothing where a trigger raised before the change`() throws {
        try replay.run(
            """
            CREATE TRIGGER item_stays BEFORE DELETE ON item WHEN old.id = 1
            BEGIN SELECT RAISE(ABORT, 'the first stays'); END
            """
        )
        try runAnyway("DELETE FROM item WHERE id = 1") { body in
            try replay.write { connection in
                try body(connection)
                try connection.execute("DELETE FROM item WHERE id = 2", [])
            }
        }
        try replay.expectEqual()
        #expect(try amounts(replay.copy) == [10, 30])
    }

    @Test func `is told from what triggers and cascades do, which is recorded as rows`() throws {
        try replay.owner.connection.execute("PRAGMA foreign_keys = ON", [])
        try replay.run(
            """
            CREATE TABLE part (
              id INTEGER PRIMARY KEY, item INTEGER REFERENCES item ON DELETE CASCADE ON UPDATE CASCADE
            )
            """,
            "CREATE TABLE told (what TEXT, id INTEGER)",
            "CREATE TRIGGER tell AFTER DELETE ON item BEGIN INSERT INTO told VALUES ('gone', old.id); END",
            "INSERT INTO part VALUES (1, 1), (2, 1), (3, 2)"
        )
        try replay.run("DELETE FROM item WHERE id = 1", "UPDATE item SET id = 9 WHERE id = 2")
        try replay.expectEqual()
        #expect(try replay.count("SELECT 1 FROM told") == 1)
        #expect(try replay.count("SELECT 1 FROM part WHERE item = 9") == 1)
        try replay.stop()
        // Triggers run again when the copy has an owner of its own.
        try replay.copy.write { _ = try $0.execute("DELETE FROM item WHERE id = 9", []) }
        #expect(try replay.count("SELECT 1 FROM told") == 2)
    }

    @Test func `is one that changes more than a log takes`() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        let recorder = RowRecorder(handle: connection.handle, maximumBytes: 100)
        try connection.execute("CREATE TABLE t (x BLOB)", [])
        try recorder.begin(connection)
        let recorded = RecordingConnection(connection, recorder)
        try recorded.execute("INSERT INTO t VALUES (zeroblob(200))", [])
        #expect(throws: StoreError.failed("a transaction changes more than 100 bytes")) {
            try recorder.finish()
        }
    }
}
