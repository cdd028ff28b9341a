import Testing

@testable import Database

@Suite struct `bytes of row changes` {
    /// Changes of every kind, as they are written.
    private static func written() throws -> [[UInt8]] {
        let replay = try RowReplay()
        try replay.run(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, amount REAL, body ANY) STRICT",
            "CREATE TABLE pair (a TEXT, b INTEGER, c BLOB, PRIMARY KEY (b, a)) STRICT, WITHOUT ROWID",
            "INSERT INTO item VALUES (1, 'one', 0.5, x'0102'), (2, NULL, 1e999, -9223372036854775808)",
            "INSERT INTO pair VALUES ('k', 300, x''), ('l', -300, NULL)"
        )
        try replay.run(
            "UPDATE item SET name = 'two', body = 5 WHERE id = 2",
            "UPDATE item SET id = 9, name = '' WHERE id = 1",
            "UPDATE pair SET a = 'm'",
            "DELETE FROM pair WHERE b = 300",
            "DELETE FROM item WHERE id = 9"
        )
        return replay.changes.map(\.bytes)
    }

    /// Reads all of it; what it says, for comparison.
    private static func read(_ bytes: [UInt8]) throws(RowChangesFault) -> [String] {
        let result = bytes.withUnsafeBytes { bytes -> Result<[String], RowChangesFault> in
            Result { () throws(RowChangesFault) in
                var reader = try RowReader(bytes)
                var steps: [String] = []
                while let step = try reader.next() { steps.append("\(step)") }
                return steps
            }
        }
        return try result.get()
    }

    @Test func `are read as they were written`() throws {
        let written = try Self.written()
        #expect(try written.map { try Self.read($0).count } == [6, 6])
    }

    @Test func `begin with the version of their form, and others are refused`() throws {
        var bytes = try Self.written()[0]
        #expect(bytes[0] == 1)
        bytes[0] = 2
        #expect(throws: RowChangesFault.version(2)) { try Self.read(bytes) }
        #expect(throws: RowChangesFault.malformed(at: 0)) { try Self.read([]) }
    }

    @Test func `end with an error, not a trap, wherever they are cut`() throws {
        for bytes in try Self.written() {
            let whole = try Self.read(bytes)
            for count in bytes.indices {
                do {
                    // Between two steps a part is whole.
                    #expect(try Self.read(Array(bytes[..<count])).count < whole.count)
                } catch {
                    guard case .malformed = error else {
                        Issue.record("\(error) at \(count)")
                        continue
                    }
                }
            }
        }
    }

    @Test func `end with an error, not a trap, whatever stands in them`() throws {
        var random = RowRandom(seed: 29)
        for bytes in try Self.written() {
            for _ in 0..<20_000 {
                var changed = bytes
                for _ in 0...random.below(3) {
                    changed[random.below(changed.count)] = UInt8(random.below(256))
                }
                do { _ = try Self.read(changed) } catch { _ = error as RowChangesFault }
            }
        }
        for _ in 0..<20_000 {
            let bytes = [1] + (0..<random.below(60)).map { _ in UInt8(random.below(random.isTrue ? 256 : 9)) }
            do { _ = try Self.read(bytes) } catch { _ = error as RowChangesFault }
        }
    }

    @Test(
        arguments: [
            // A step without a table; a table without columns; two equal key columns; a number of eleven bytes.
            [1, 5, 2, 2], [1, 2, 1, 65, 0, 0, 0], [1, 2, 1, 65, 2, 2, 0, 0, 5, 0, 0],
            [1, 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
            // A text of more bytes than an address can name; columns out of order; unknown tags; a table that is
            // not defined.
            [1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
            [1, 2, 1, 65, 3, 0, 0, 6, 2, 2, 2, 0, 1, 0, 0], [1, 0], [1, 8], [1, 3, 0],
            // An update of nothing; a rowid that moves where there is none.
            [1, 2, 1, 65, 3, 0, 0, 6, 2, 2, 0], [1, 2, 1, 65, 1, 1, 0, 7, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `are refused where no program writes them`(bytes: [UInt8]) {
        let fault = #expect(throws: RowChangesFault.self) { try Self.read(bytes) }
        guard case .malformed? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test func `that do not fit the store change nothing in it`() throws {
        let (replay, other) = (try RowReplay(), try SQLiteDatabase(path: ":memory:"))
        try replay.run("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        try replay.run("INSERT INTO item VALUES (1, 'a')")
        try replay.run("UPDATE item SET name = 'b'")
        let follower = try LogFollower(other)
        try follower.apply([LogEntry(claimAfter: .empty, claimant: [])])
        try follower.apply(replay.changes[0])
        #expect(throws: RowChangesFault.diverged("item", "0 rows have the key of one")) {
            try follower.apply(replay.changes[2])
        }
        try follower.apply(replay.changes[1])
        let fault = #expect(throws: RowChangesFault.self) { try follower.apply(replay.changes[1]) }
        guard case .diverged("item", _)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(follower.head.position == 3)

        let strange = try SQLiteDatabase(path: ":memory:")
        try strange.write { _ = try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)", []) }
        let stranger = try LogFollower(strange)
        try stranger.apply([LogEntry(claimAfter: .empty, claimant: [])])
        #expect(throws: RowChangesFault.unknownTable("item")) { try stranger.apply(replay.changes[1]) }
    }
}

extension LogFollower {
    /// Applies changes as the next entry.
    fileprivate func apply(_ changes: RowChanges) throws {
        try apply([
            LogEntry(position: head.position + 1, epoch: head.epoch, kind: .rows, bytes: changes.bytes)
        ])
    }
}
