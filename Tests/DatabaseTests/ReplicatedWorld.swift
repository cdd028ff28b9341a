import Database
import Testing

/// A process died in the middle of a write.
struct ReplicatedCrash: Error {}

/// The write side of a partition's store, faithful or not.
protocol ReplicatedOwner: AnyObject {
    var store: SQLiteDatabase { get }
    /// Whether its process has ended, so that it tells nobody anything.
    var hasEnded: Bool { get }
    func add(_ note: Int) throws
}

/// Owners of one partition that come and go, each with a store of its own, over one log.
///
/// Its laws are those of the log: what was acknowledged is in the log, once, and what was refused is not; a store that
/// follows it holds the same as the owner's; and of two owners one alone is told that it has written.
final class ReplicatedWorld {
    enum Law: Equatable {
        case acknowledgedIsInTheLog
        case refusedIsNotInTheLog
        case replayEqualsTheOwner
        case oneOwner
    }

    let log: any CommitLog
    private let make: (SQLiteDatabase, any CommitLog) throws -> any ReplicatedOwner
    private(set) var acknowledged: [Int] = []
    /// Of which an owner that lives has said that nothing was done.
    private(set) var refused: [Int] = []

    init(
        _ log: any CommitLog = MemoryLog(),
        _ make: @escaping (SQLiteDatabase, any CommitLog) throws -> any ReplicatedOwner = FaithfulOwner.init
    ) {
        self.log = log
        self.make = make
    }

    /// A new owner over a store of its own, or over the one that another one has left.
    func owner(_ store: SQLiteDatabase? = nil) throws -> any ReplicatedOwner {
        try make(store ?? SQLiteDatabase(path: ":memory:", isRecorded: true), log)
    }

    /// Adds a note; a crash and a loss of the partition are ordinary.
    func add(_ note: Int, to owner: any ReplicatedOwner) throws {
        do {
            try owner.add(note)
            acknowledged.append(note)
        } catch is ReplicatedCrash {
        } catch StoreError.taken {
        } catch StoreError.failed {
            if !owner.hasEnded { refused.append(note) }
        }
    }

    /// The laws that are broken now that this is the owner.
    func broken(_ owner: any ReplicatedOwner) throws -> [Law] {
        var broken: [Law] = []
        let copy = try SQLiteDatabase(path: ":memory:")
        do { try LogFollower(copy).catchUp(with: log) } catch is LogFollowerFault {
            broken.append(.oneOwner)
        }
        if try StoreComparison.firstDifference(owner.store, copy) != nil {
            broken.append(.replayEqualsTheOwner)
        }
        let notes = try copy.write { connection in
            let hasTable = try connection.row("SELECT 1 FROM sqlite_master WHERE name = 'note'") != nil
            return try hasTable ? connection.rows("SELECT id FROM note").map { try $0[0] as Int } : []
        }
        if !Set(notes).isSuperset(of: acknowledged) { broken.append(.acknowledgedIsInTheLog) }
        if !Set(notes).isDisjoint(with: refused) { broken.append(.refusedIsNotInTheLog) }
        return broken
    }
}

/// The product's store.
final class FaithfulOwner: ReplicatedOwner {
    static let table =
        "CREATE TABLE IF NOT EXISTS note (number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE) STRICT"

    let store: SQLiteDatabase
    let database: ReplicatedDatabase
    /// Why the process ended.
    private(set) var ends: [String] = []
    var hasEnded: Bool { !ends.isEmpty }

    convenience init(_ store: SQLiteDatabase, _ log: any CommitLog) throws {
        try self.init(store, log, attempts: 3)
    }

    /// It appends again until so many attempts were made.
    init(_ store: SQLiteDatabase, _ log: any CommitLog, attempts: Int) throws {
        self.store = store
        let ended = Ends()
        let settings = ReplicatedDatabase.Settings(repeats: { count, _ in count < attempts }, end: ended.note)
        database = try ReplicatedDatabase(store, log: log, settings: settings)
        ended.owner = self
        try database.claim([UInt8.random(in: 0...255), UInt8.random(in: 0...255), UInt8.random(in: 0...255)])
        try database.write { _ = try $0.execute(Self.table, []) }
    }

    func add(_ note: Int) throws {
        try database.write { _ = try $0.execute("INSERT INTO note (id) VALUES (\(note))") }
    }

    private final class Ends {
        weak var owner: FaithfulOwner?
        func note(_ why: String) { owner?.ends.append(why) }
    }
}
