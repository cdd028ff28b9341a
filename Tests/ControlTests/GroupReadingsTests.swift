import Database
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import PostgreSQL
@testable import Program

@Suite struct `what a process reads of its group` {
    /// What PostgreSQL says, and what it was asked.
    private struct World {
        var uptime: Int64 = 10_000
        /// How long an answer takes.
        var delay: Int64 = 0
        /// The owner's, at each of its servers; the first one is the connection's.
        var counters: [Int64] = [1, 2]
        var fault: LogFault?
        var reads = 0
        var checks = 0
        var quarantines: [String] = []
    }

    private let world = NIOLockedValueBox(World())
    private let readings: GroupReadings

    init() {
        let world = world
        func answer(_ body: (inout World) -> Void) throws(LogFault) {
            let fault = world.withLockedValue { world in
                body(&world)
                return world.fault
            }
            if let fault { throw fault }
        }
        readings = GroupReadings(
            GroupReadings.Source(
                check: { () throws(LogFault) in try answer { $0.checks += 1 } },
                read: { () throws(LogFault) in
                    try answer { ($0.reads, $0.uptime) = ($0.reads + 1, $0.uptime + $0.delay) }
                    return Self.view(counter: world.withLockedValue { $0.counters[0] })
                },
                quarantine: { (partition, why) throws(LogFault) in
                    try answer { $0.quarantines.append("\(partition): \(why)") }
                },
                disconnect: { world.withLockedValue { _ = $0.counters.removeFirst() } }
            ),
            uptime: { world.withLockedValue { $0.uptime } }
        )
    }

    private static func view(counter: Int64) -> GroupView {
        let owner = GroupRecords.Owner(
            partition: "orders/0",
            epoch: 1,
            counter: counter,
            endpoint: "tcp://10.0.0.1:7400",
            quarantine: nil
        )
        return GroupView(heads: ["orders/0": LogHead(position: 1, epoch: 1)], owners: [owner])
    }

    private func pass(_ milliseconds: Int64) { world.withLockedValue { $0.uptime += milliseconds } }

    private var reads: Int { world.withLockedValue { $0.reads } }

    @Test func `is read once each 250 ms at most, whoever looks and however often`() throws {
        for (count, pause) in [(1, Int64(200)), (1, 50), (1, 1), (2, 250), (2, 1), (3, 1)] {
            for _ in 0..<64 { _ = try readings.fresh() }
            #expect(reads == count)
            pass(pause)
        }
        #expect(world.withLockedValue { $0.checks } == 1, "it is this group's")
    }

    @Test func `is read anew for who needs what is newer, and says of when it is`() throws {
        _ = try readings.fresh()
        pass(10)
        world.withLockedValue { $0.delay = 40 }
        let reading = try readings.reading(notBefore: 10_010)
        #expect(reads == 2)
        #expect(reading.began == 10_010 && reading.ended == 10_050)
        #expect(try readings.reading(notBefore: 10_010).began == 10_010)
        #expect(reads == 2)
    }

    @Test(arguments: [LogFault.unreachable("no"), .refused("no")])
    func `asks nobody for a second after a silence, and forgets what was read`(fault: LogFault) throws {
        _ = try readings.fresh()
        pass(251)
        world.withLockedValue { $0.fault = fault }
        for _ in 0..<5 {
            #expect(throws: LogFault.unreachable("no")) { try readings.reading(notBefore: 10_250) }
        }
        world.withLockedValue { $0.fault = nil }
        pass(999)
        #expect(throws: LogFault.unreachable("no")) { try readings.reading(notBefore: 0) }
        #expect(reads == 2)
        pass(1)
        _ = try readings.reading(notBefore: 0)
        #expect(reads == 3)
    }

    /// A primary that was replaced, and does not know it, says so for ever.
    @Test func `is of the primary that is found anew when no owner has moved for 2 s`() throws {
        for _ in 0..<8 {
            #expect(try readings.fresh().view.owners.map(\.counter) == [1])
            pass(251)
        }
        #expect(reads == 8)
        #expect(try readings.fresh().view.owners.map(\.counter) == [2], "nobody judges by the former one")
        #expect(reads == 10)
    }

    @Test func `shows a quarantine at once`() throws {
        _ = try readings.fresh()
        try readings.quarantine("orders/0", "it lacks entries")
        _ = try readings.fresh()
        #expect(reads == 2)
        #expect(world.withLockedValue { $0.quarantines } == ["orders/0: it lacks entries"])
    }

    /// The owner that says it has met a new primary by its own connection, and ends.
    @Test func `tells of a quarantine within a silence, too`() throws {
        world.withLockedValue { $0.fault = .unreachable("no") }
        #expect(throws: LogFault.unreachable("no")) { try readings.fresh() }
        world.withLockedValue { $0.fault = nil }
        try readings.quarantine("orders/0", "it lacks entries")
        #expect(world.withLockedValue { $0.quarantines } == ["orders/0: it lacks entries"])
    }

    /// The row comes over a connection of its own, which may still lead to the former primary.
    @Test func `takes no catalog that is older than what was read of the group`() {
        func reading(_ catalog: Int64) -> GroupReadings.Reading {
            .init(view: GroupView(heads: [:], owners: [], catalog: catalog), began: 10_000, ended: 10_000)
        }
        var known = GroupCatalog.Known()
        #expect(known.isOld(reading(0)))
        let rows: [(row: UInt8?, read: Int64, isTaken: Bool)] = [
            (4, 4, true), (4, 5, false), (nil, 5, false), (6, 5, true),
        ]
        var taken: UInt8?
        for (row, read, isTaken) in rows {
            let newest = row.map { (number: Int64($0), bytes: Data([$0])) }
            let isNewEnough = known.take(newest, at: reading(read))
            #expect(isNewEnough == isTaken)
            if isTaken { taken = row }
            #expect(known.bytes == taken.map { Data([$0]) })
            #expect(known.isOld(reading(read)) == (taken.map(Int64.init) != read))
        }
    }
}
