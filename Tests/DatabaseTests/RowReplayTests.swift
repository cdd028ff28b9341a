import Testing

@testable import Database

@Suite struct `a store that is made of row changes` {
    private struct Stop: Error {}

    @Test(arguments: 0..<60)
    func `equals the one that they were made in, whatever was done there`(seed: UInt64) throws {
        var random = RowRandom(seed: seed)
        let replay = try RowReplay()
        if random.isTrue { try replay.owner.connection.execute("PRAGMA foreign_keys = ON", []) }
        let tables = (0...random.below(3)).map { RandomTable("t\($0)", &random) }
        try replay.run(
            "CREATE TABLE told (who TEXT, what ANY)",
            "CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)",
            """
            CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER
            REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE)
            """
        )
        try replay.write { connection in
            for statement in tables.flatMap(\.creation) { try connection.execute(statement, []) }
        }
        for transaction in 0..<60 {
            do {
                try replay.write { try run(tables, transaction, $0, &random) }
            } catch is Stop {
            } catch is StoreError {
            }
            if let difference = try replay.difference() {
                Issue.record("after transaction \(transaction): \(difference)")
                return
            }
        }
        #expect(replay.changes.reduce(0) { $0 + $1.steps } > 40, "nothing was changed")
    }

    /// Some statements, of which those that fail may not matter; then the end of the transaction, or not.
    private func run(
        _ tables: [RandomTable],
        _ transaction: Int,
        _ connection: any Connection,
        _ random: inout RowRandom
    ) throws {
        for _ in 0...random.below(8) {
            let table = random.pick(tables)
            switch random.below(22) {
            case 0 where random.below(3) == 0:
                for statement in table.schemaChange(transaction, &random) {
                    try attempt(statement, connection)
                }
            case 1: try attempt("INSERT INTO parent (name) VALUES ('p')", connection)
            case 2: try attempt("INSERT INTO child (parent) SELECT max(id) FROM parent", connection)
            case 3: try attempt("UPDATE parent SET id = id + 5 WHERE id % 3 = 0", connection)
            case 4: try attempt("DELETE FROM parent WHERE id % 4 = 0", connection)
            default: try attempt(table.statement(&random), connection)
            }
        }
        if random.below(8) == 0 { throw Stop() }
    }

    /// What the schema forbids does not matter to the caller.
    private func attempt(_ statement: String, _ connection: any Connection) throws {
        do { try connection.execute(statement, []) } catch StoreError.constraint {}
    }
}
