import CSQLite

/// Makes in a store the row changes of another one, which began as an equal copy.
///
/// The rows that triggers and foreign keys had changed are among the changes; so triggers do not run meanwhile. CHECK,
/// UNIQUE and types stay in force, as a referee. Each change must find its row.
final class RowApplier {
    private enum Change: Hashable {
        case insert(RowTable)
        case delete(RowTable)
        case update(RowTable, columns: [Int], isMove: Bool)
    }

    private let connection: SQLiteConnection
    private var statements: [Change: RowStatement] = [:]
    private var tables: [String: TableShape] = [:]
    private var version: Int64?
    /// More than a service's changes have; they are prepared anew then.
    private static let maximumStatements = 1_024

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Applies the changes of one transaction, inside one.
    ///
    /// - Throws: `RowChangesFault` or `StoreError`; then the transaction must be rolled back.
    func apply(_ changes: [UInt8]) throws {
        let version = try StoreShape.version(connection)
        if version != self.version { try readSchema(version) }
        try changes.withUnsafeBytes { bytes in
            var reader = try RowReader(bytes)
            while let step = try reader.next() { try apply(step, bytes) }
        }
    }

    private func readSchema(_ version: Int64) throws(StoreError) {
        statements = [:]
        tables = [:]
        for table in try StoreShape(connection).tables { tables[table.name] = table }
        self.version = version
    }

    /// The transaction was rolled back: what was read in it is not believed.
    func forget() {
        version = nil
        statements = [:]
    }

    private func apply(_ step: RowStep, _ bytes: UnsafeRawBufferPointer) throws {
        switch step {
        case .statement(let sql):
            guard StatementKind(sql) == .schema else {
                throw RowChangesFault.diverged("schema", "\(sql) is none")
            }
            statements = [:]
            try connection.execute(sql, [])
            try readSchema(StoreShape.version(connection))
        case .insert(let table, let values): try run(.insert(table), table, values, bytes)
        case .delete(let table, let key): try run(.delete(table), table, key, bytes)
        case .update(let table, let key, let rowid, let columns, let values):
            let change = Change.update(table, columns: columns, isMove: rowid != nil)
            try run(change, table, (rowid.map { [$0] } ?? []) + values + key, bytes)
        }
    }

    private func run(
        _ change: Change,
        _ table: RowTable,
        _ values: [RowValue],
        _ bytes: UnsafeRawBufferPointer
    ) throws {
        let statement = try statements[change] ?? prepare(change, table)
        let count: Int
        do {
            count = try statement.run(values, in: bytes)
        } catch .constraint(let what) {
            throw RowChangesFault.diverged(table.name, what)
        }
        guard count == 1 else {
            throw RowChangesFault.diverged(table.name, "\(count) rows have the key of one")
        }
    }

    private func prepare(_ change: Change, _ table: RowTable) throws -> RowStatement {
        guard let shape = tables[table.name], shape.columns.count == table.columns, shape.key == table.key,
            shape.rowidColumn == table.rowidColumn
        else { throw RowChangesFault.unknownTable(table.name) }
        let statement = try RowStatement(Self.sql(change, shape), connection)
        if statements.count >= Self.maximumStatements { statements = [:] }
        statements[change] = statement
        return statement
    }

    private static func sql(_ change: Change, _ shape: TableShape) -> String {
        let name = "main." + TableShape.quoted(shape.name)
        let isKey = shape.keyNames.map { "\($0) = ?" }.joined(separator: " AND ")
        switch change {
        case .insert:
            let names = shape.keyNames + shape.otherNames
            let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
            return "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(places))"
        case .delete: return "DELETE FROM \(name) WHERE \(isKey)"
        case .update(_, let columns, let isMove):
            let names = (isMove ? shape.keyNames : []) + columns.map { TableShape.quoted(shape.columns[$0]) }
            return "UPDATE \(name) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(isKey)"
        }
    }
}
