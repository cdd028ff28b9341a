/// One step of a schema; numbered from 1, run once, never changed once a version is released.
///
/// Its text is literal. A case or a bound that the code gets later reaches the stores that there are by a further step
/// alone.
package struct Migration: Sendable {
    package let number: Int
    package let statements: [String]

    package init(_ number: Int, _ statements: [String]) {
        self.number = number
        self.statements = statements
    }
}

/// The migrations of one part of a store; each part counts its own.
package struct Schema: Sendable {
    package let name: String
    package let migrations: [Migration]

    package init(_ name: String, _ migrations: [Migration]) {
        self.name = name
        self.migrations = migrations
    }

    /// Brings this part of the store up to date, inside the transaction.
    ///
    /// - Throws: `StoreError.newerSchema` when the store has a step that this program does not know.
    package func migrate(_ connection: any Connection) throws(StoreError) {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_version (name TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL)"
        )
        let current: Int =
            try connection.value("SELECT number FROM schema_version WHERE name = \(name)") ?? 0
        let known = migrations.last?.number ?? 0
        guard current <= known else { throw .newerSchema(found: current, known: known) }
        for migration in migrations where migration.number > current {
            for statement in migration.statements { try connection.execute(statement, []) }
        }
        try connection.execute(
            """
            INSERT INTO schema_version (name, number) VALUES (\(name), \(known))
            ON CONFLICT (name) DO UPDATE SET number = excluded.number
            """
        )
    }
}

/// SQL for a constraint: whether a column has one of these texts; null if it is null.
///
/// SQLite fills a table in memory each time that a statement checks an `IN` of more than two values, also where the
/// column is null. That was a third of the instructions of Orders; comparisons are none that can be seen.
package func isOneOf(_ column: String, _ values: [String]) -> String {
    "(" + values.map { "\(column) = '\($0)'" }.joined(separator: " OR ") + ")"
}
