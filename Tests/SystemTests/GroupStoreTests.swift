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
