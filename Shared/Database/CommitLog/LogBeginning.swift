import Glibc

/// The beginning of a partition's log where the partition has a store already: claims, and a snapshot of that store.
///
/// | the process dies | what is left |
/// |---|---|
/// | before the snapshot is kept | a log of claims alone, and the store as it was: the next attempt goes on behind them |
/// | before the mark | a log that makes the store, which does not know it: the next attempt begins once more |
/// | after the mark | a store that follows its log |
///
/// Whoever calls holds the store's lock, and no process of the log's group runs.
package struct LogBeginning {
    /// What is done, for tests that end the process there.
    package enum Step: Sendable {
        /// The log has claims alone.
        case claimed
        /// The copy that is to be the snapshot lies beside the store.
        case copied
        /// All of it is in the log, which does not list it.
        case sent
        /// The snapshot is listed.
        case kept
        /// Nothing before it is left.
        case pruned
        /// A store that the log has made lies beside the other one.
        case remade
    }

    private static let partBytes = 1 << 20
    /// Of 4 KiB, at once.
    private static let pages = 512
    /// So often an entry with an unknown outcome is appended again.
    private static let attempts = 10
    /// Entry 1 has to be pruned: who finds it would make a store from the entries alone.
    private static let leastPosition: Int64 = 2

    private let store: SQLiteDatabase
    private let log: any CommitLog
    private let reached: (Step) -> Void

    /// The store is opened, and nobody else writes it; `reached` is told of each step.
    package init(
        of store: SQLiteDatabase,
        in log: any CommitLog,
        reached: @escaping (Step) -> Void = { _ in }
    ) {
        self.store = store
        self.log = log
        self.reached = reached
    }

    /// Puts the store into its log, unless it is marked: then that was done.
    ///
    /// - Returns: the entry that the log makes the store with.
    /// - Throws: `LogFollowerFault` for a store that is marked, if its log has gone on or lost that entry;
    ///   `LogFault.refused` if the log holds what a group has written; other `LogFault`, `StoreError`.
    package func make() throws -> LogHead {
        let follower = try LogFollower(store)
        if let lineage = follower.lineage { log.expect(lineage) }
        let last = try log.head()
        if follower.head != .empty {
            guard follower.head == last else {
                throw last.position < follower.head.position
                    ? LogFollowerFault.behind(log: last, store: follower.head)
                    : LogFollowerFault.diverged(log: last, store: follower.head)
            }
            return last
        }
        try checkClaimsAlone(until: last)
        var head = last
        repeat { head = try claim(after: head) } while head.position < Self.leastPosition
        reached(.claimed)
        try putSnapshot(at: head)
        reached(.kept)
        try log.prune(below: head.position)
        reached(.pruned)
        return head
    }

    /// What an interrupted attempt leaves; everything else is of a group that has begun.
    private func checkClaimsAlone(until last: LogHead) throws {
        var position: Int64 = 1
        while position <= last.position {
            do {
                let entries = try log.entries(from: position, maximumBytes: Self.partBytes)
                guard !entries.isEmpty, entries.allSatisfy({ $0.kind == .claim }) else {
                    throw LogFault.refused("the log holds what a group has written already")
                }
                position += Int64(entries.count)
            } catch LogFault.pruned(let first) {
                position = max(first, position + 1)
            }
        }
    }

    private func claim(after head: LogHead) throws -> LogHead {
        var random = SystemRandomNumberGenerator()
        let claimant = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let claim = LogEntry(claimAfter: head, claimant: claimant)
        var doubt = ""
        for _ in 0..<Self.attempts {
            switch try log.append(claim) {
            case .appended: return claim.head
            case .unknown(let why): doubt = why
            case .taken, .behind: throw LogFault.refused("somebody else writes into the log")
            }
        }
        throw LogFault.unreachable(doubt)
    }

    private func putSnapshot(at head: LogHead) throws {
        let file = store.path + ".snapshot"
        Self.remove(file)
        defer { Self.remove(file) }
        let copier = try store.copier(to: file)
        while try !copier.step(pages: Self.pages) {}
        try Self.mark(file, head, of: log.lineage)
        reached(.copied)
        var upload = try SnapshotUpload(of: file, at: head)
        defer { upload.close() }
        while !upload.isWhole { try upload.send(to: log, partBytes: Self.partBytes) }
        reached(.sent)
        try log.keep(upload.snapshot)
    }

    private static func mark(_ file: String, _ head: LogHead, of lineage: LogLineage?) throws {
        let copy = try SQLiteDatabase(path: file, synchronous: .normal)
        try mark(copy, head, of: lineage)
        try copy.close()
    }

    private static func mark(_ store: SQLiteDatabase, _ head: LogHead, of lineage: LogLineage?) throws {
        _ = try LogFollower(store)
        try store.write { try LogFollower.note(head, of: lineage, $0) }
    }

    private static func remove(_ file: String) {
        for suffix in ["", "-wal", "-journal"] { unlink(file + suffix) }
    }

    /// Makes a store from the log alone, and compares it with this one, table by table and byte by byte.
    ///
    /// - Returns: the first difference; nil if there is none.
    /// - Throws: what `LocalCopy` and `LogFollower` throw.
    package func difference() throws -> String? {
        let file = store.path + ".proof"
        Self.remove(file)
        defer { Self.remove(file) }
        _ = try LocalCopy(at: file, of: log).prepare()
        let copy = try SQLiteDatabase(path: file, synchronous: .normal)
        let follower = try LogFollower(copy)
        try follower.catchUp(with: log)
        try follower.stop()
        reached(.remade)
        let difference = try StoreComparison.firstDifference(store, copy)
        try copy.close()
        return difference
    }

    /// Notes in the store that it follows its log from `head` on: without the log nobody opens it any more.
    ///
    /// - Throws: `StoreError`.
    package func mark(at head: LogHead) throws { try Self.mark(store, head, of: log.lineage) }
}
