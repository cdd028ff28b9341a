import Testing

@testable import Database

/// A store whose row changes are recorded, and a copy that is made of them alone.
final class RowReplay {
    let owner: SQLiteDatabase
    let copy: SQLiteDatabase
    private let follower: LogFollower
    private(set) var entries: [LogEntry] = []
    private(set) var changes: [RowChanges] = []

    init() throws {
        owner = try SQLiteDatabase(path: ":memory:", isRecorded: true)
        copy = try SQLiteDatabase(path: ":memory:")
        follower = try LogFollower(copy)
        try follower.apply([LogEntry(claimAfter: .empty, claimant: [])])
    }

    /// Runs a transaction, and applies what was recorded of it to the copy.
    func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        var entry: LogEntry?
        let value = try owner.write(body) { changes, _ in
            self.changes.append(changes)
            entry = LogEntry(
                position: follower.head.position + 1,
                epoch: follower.head.epoch,
                kind: changes.changesSchema ? .schema : .rows,
                bytes: changes.bytes
            )
        }
        if let entry {
            entries.append(entry)
            try follower.apply([entry])
        }
        return value
    }

    /// One transaction of these statements.
    func run(_ statements: String...) throws {
        try write { connection in for statement in statements { try connection.execute(statement, []) } }
    }

    /// The copy has an owner of its own from now on.
    func stop() throws { try follower.stop() }

    func difference() throws -> String? { try StoreComparison.firstDifference(owner, copy) }

    func expectEqual(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try difference() == nil, comment, sourceLocation: sourceLocation)
    }

    /// How many rows a query of the copy has.
    func count(_ sql: String) throws -> Int { try copy.write { try $0.rows(sql, []).count } }
}
