import Contracts
import Database
import Testing

@testable import Delivery

/// What the stores of a simulated group have shown about partitions.
@Suite struct `a partition of a simulated group` {
    private static func moment(_ uptime: Int64) -> ClockReading {
        ClockReading(now: Timestamp(milliseconds: GroupWorld.start + uptime), uptime: uptime)
    }

    /// The bytes of a statement of Apple's, each time the same event.
    private static func statement() throws -> [UInt8] {
        let transaction = GroupTransaction(number: 1, product: .coins, token: .none)
        let event = Event(
            id: EventID(unchecked: "statement"),
            source: "/appstore",
            time: Self.moment(0).now,
            subject: "statement",
            data: TransactionVerifiedV1(transaction: transaction.signed(.purchase, token: nil))
        )
        return [UInt8](try EventCoder.encoder().encode(event))
    }

    @Test func `is what its log makes, also after an owner that died with an entry in the log alone`() throws
    {
        let store = try GroupStore(isReplicated: true)
        try store.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT", []) }
        for note in 1...4 {
            store.storeFault = (.crash, 0)
            #expect(throws: GroupCrash.self) {
                try store.write { _ = try $0.execute("INSERT INTO note VALUES (\(note))") }
            }
            try store.claim()
            #expect(try store.differenceFromLog() == nil)
        }
        let notes = try store.read("SELECT id FROM note ORDER BY id").map { try $0[0] as Int }
        #expect(notes == [2, 4], "every other entry was in the log")
    }

    @Test(arguments: [false, true])
    func `is made of a snapshot and of what its log has beyond it, unless a commit is missing there`(
        isMissing: Bool
    ) throws {
        let store = try GroupStore(isReplicated: true)
        try store.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT", []) }
        func add(_ note: Int) throws {
            try store.write { _ = try $0.execute("INSERT INTO note VALUES (\(note))") }
        }
        try add(1)
        try store.takeSnapshot()
        if isMissing { store.storeFault = (.unlogged, 0) }
        try add(2)
        try add(3)
        let difference = try store.differenceFromLog()
        #expect(difference?.hasPrefix("note differs at 2") == (isMissing ? true : nil), "\(difference ?? "")")
    }

    @Test func `is not what its log makes where a commit before the snapshot is missing`() throws {
        let store = try GroupStore(isReplicated: true)
        try store.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT", []) }
        store.storeFault = (.unlogged, 0)
        try store.write { _ = try $0.execute("INSERT INTO note VALUES (1)") }
        try store.takeSnapshot()
        try store.write { _ = try $0.execute("UPDATE note SET id = 2") }
        let difference = try #require(try store.differenceFromLog())
        #expect(difference.hasPrefix("an entry does not fit"), "\(difference)")
    }

    @Test func `suspects no event because the disk was full while it was alone in hand`() throws {
        let partition = try GroupPartition(PartitionAddress(.receipts, 0))
        let services = GroupServices(tester: BuyerID(unchecked: "anna"))
        for life in 0..<2 { _ = try partition.takeOver(services, seed: 1, at: Self.moment(Int64(life))) }
        let engine = try #require(partition.engine)
        let statement = PartitionInput.direct(try Self.statement())
        partition.store.fullDisk = .everyOther
        var kept: [RequestRefusal] = []
        for attempt in 1...12 {
            do {
                kept += try engine.handle([statement], at: Self.moment(Int64(attempt))).refusals
            } catch StoreError.full { continue }
        }
        partition.store.fullDisk = nil
        kept += try engine.handle([statement], at: Self.moment(100)).refusals
        #expect(kept.isEmpty)
        #expect(try partition.store.read("SELECT 1 FROM claim").count == 1)
    }
}
