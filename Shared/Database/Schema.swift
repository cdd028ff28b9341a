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
