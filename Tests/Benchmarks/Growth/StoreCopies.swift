import Database
import Foundation
import TestKit

/// Fills the stores of a resting group with copies of the purchases that it made, under other ids.
///
/// All copies of one number make a transaction in each store; the services' stores are filled side by side.
struct StoreCopies {
    let home: TestHome
    /// How often each purchase is copied.
    let count: Int

    /// - Throws: `StoreError` when a table's rows cannot be copied under other ids.
    func make() async throws {
        try await withThrowingTaskGroup { group in
            for path in Paths.matching(home.root + "/data/*/*.sqlite") {
                group.addTask { try fill(path) }
            }
            try await group.waitForAll()
        }
    }

    private func fill(_ path: String) throws {
        let service = URL(filePath: path).deletingLastPathComponent().lastPathComponent
        let store = try SQLiteDatabase(path: path)
        let statements = try store.write { try Self.prepare($0) }
        var told = ContinuousClock.now
        for copy in 1...max(count, 1) where count > 0 {
            try store.write { connection in
                for statement in statements { try connection.execute(statement, [.integer(Int64(copy))]) }
            }
            guard ContinuousClock.now - told > .seconds(10) || copy == count else { continue }
            told = .now
            FileHandle.standardError.write(Data("growth: \(service): copy \(copy) of \(count)\n".utf8))
        }
        try store.checkpoint()
        try store.close()
    }

    /// Keeps the rows to be copied aside; returns the statements that copy them.
    private static func prepare(_ connection: any Connection) throws -> [String] {
        let tables: [String] = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ) { row throws(StoreError) in try row["name"] }
        return try tables.compactMap { table in
            let names = try connection.insertableColumns(of: table)
            let rules = CopyRules(columns: names)
            guard rules.isOfPurchases else { return nil }
            try connection.execute("CREATE TEMP TABLE \(raw: table)_copied AS SELECT * FROM \(raw: table)")
            return """
                INSERT INTO main.\(table) (\(names.joined(separator: ", ")))
                SELECT \(rules.expressions.joined(separator: ", ")) FROM temp.\(table)_copied
                """
        }
    }
}
