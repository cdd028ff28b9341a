import Contracts
import Database
import NIOConcurrencyHelpers
import Testing

@testable import Delivery

@Suite struct `ownership by a log` {
    /// What a host sees and has; all of it can change.
    private struct World {
        var uptime: Int64 = 0
        var sign: OwnerSign? = OwnerSign(epoch: 0, renewal: nil)
        var isLocked = false
        /// What all partitions share.
        var last: OwnerReading?
        var reads = 0
        var comparisons = 0
        /// What the comparison of this host's copy finds.
        var fault: LogFollowerFault?
        var quarantines: [String] = []
        var alarms: [String] = []
    }

    private final class Lock: OwnedPartition {
        private let world: NIOLockedValueBox<World>
        init(_ world: NIOLockedValueBox<World>) { self.world = world }
        var isStillOwned: Bool { true }
        func release() { world.withLockedValue { $0.isLocked = false } }
    }

    private struct Host: Ownership, PartitionLogs {
        let world: NIOLockedValueBox<World>

        func join() throws -> (any Membership)? { nil }
        func census() throws -> (members: Int, rank: Int) { (1, 0) }
        func isFree(_ partition: Int) throws -> Bool { world.withLockedValue { !$0.isLocked } }
        func take(_ partition: Int) throws -> (any OwnedPartition)? {
            let isTaken = world.withLockedValue { world in
                defer { world.isLocked = true }
                return world.isLocked
            }
            return isTaken ? nil : Lock(world)
        }
        func open(
            _ partition: PartitionAddress,
            whileWaiting: @escaping (Bool) -> Void
        ) throws -> any PartitionLog {
            throw LogFault.refused("nothing is opened here")
        }
        func read(_ partition: PartitionAddress, notBefore uptime: Int64) throws -> OwnerReading {
            try world.withLockedValue { world in
                if let last = world.last, last.began >= uptime { return last }
                world.reads += 1
                world.last = nil
                guard let sign = world.sign else { throw LogFault.unreachable("nobody answers") }
                let reading = OwnerReading(sign, began: world.uptime, ended: world.uptime)
                world.last = reading
                return reading
            }
        }
        func quarantine(_ partition: PartitionAddress, _ why: String) throws {
            world.withLockedValue { world in
                world.quarantines.append(why)
                world.sign?.isQuarantined = true
            }
        }
    }

    private let world = NIOLockedValueBox(World())
    private let ownership: LogOwnership

    init() {
        let (host, world) = (Host(world: world), world)
        ownership = LogOwnership(
            of: .orders,
            locks: host,
            logs: host,
            compare: { _ in
                try world.withLockedValue { world in
                    world.comparisons += 1
                    if let fault = world.fault { throw fault }
                }
            },
            alarm: { _, problem in world.withLockedValue { $0.alarms.append(problem) } },
            uptime: { world.withLockedValue { $0.uptime } }
        )
    }

    private func see(_ sign: OwnerSign?, after milliseconds: Int64 = 300) {
        world.withLockedValue { world in
            world.sign = sign
            world.uptime += milliseconds
        }
    }

    private static let elsewhere = OwnerSign(epoch: 2, counter: 5, holder: .elsewhere)

    @Test func `takes what nobody has, with what the claim follows`() throws {
        #expect(try ownership.isFree(0))
        let owned = try ownership.take(0)
        #expect(owned?.lapse == .init(epoch: 0, counter: 0, isGone: true))
        #expect(try ownership.take(0) == nil, "a process of this host has it")
        owned?.release()
        #expect(try ownership.take(0) != nil)
    }

    @Test func `takes another host's after 3 s without a renewal, once`() throws {
        see(Self.elsewhere)
        #expect(try ownership.take(0) == nil)
        see(Self.elsewhere, after: 2_750)
        #expect(try ownership.take(0) == nil)
        #expect(try !ownership.isFree(0))
        see(Self.elsewhere, after: 300)
        let owned = try ownership.take(0)
        #expect(owned?.lapse == .init(epoch: 2, counter: 5, isGone: false))
        owned?.release()
        #expect(try ownership.take(0) == nil, "it is watched anew")
    }

    @Test func `takes nothing while nobody says who owns it`() throws {
        see(nil)
        #expect(try ownership.take(0) == nil)
        #expect(try !ownership.isFree(0))
    }

    @Test func `does not count a time in which nobody answered as an owner's silence`() throws {
        see(Self.elsewhere)
        #expect(try ownership.take(0) == nil)
        see(Self.elsewhere, after: 1_500)
        #expect(try ownership.take(0) == nil)
        see(nil, after: 1_000)
        #expect(try ownership.take(0) == nil)
        see(Self.elsewhere, after: 1_000)
        #expect(try ownership.take(0) == nil, "it can renew only now")
    }

    private static let behind = LogFollowerFault.behind(
        log: LogHead(position: 3, epoch: 2),
        store: LogHead(position: 5, epoch: 2)
    )

    @Test func `lets nobody claim what this host's copy has more of than the log, and says so once`() throws {
        world.withLockedValue { $0.fault = Self.behind }
        for _ in 0..<4 {
            see(OwnerSign(epoch: 2, counter: 5, holder: .nobody))
            #expect(try ownership.take(0) == nil)
        }
        #expect(world.withLockedValue { $0.quarantines } == [Self.behind.text])
        #expect(world.withLockedValue { $0.alarms }.count == 1)
        #expect(world.withLockedValue { $0.comparisons } == 1)
        world.withLockedValue { $0.fault = nil }
        see(OwnerSign(epoch: 2, counter: 5, holder: .nobody), after: 30_000)
        #expect(try ownership.take(0) != nil, "the copy was moved away, and the operator has looked")
    }

    @Test func `tells of a copy whose entries are lost, and leaves the partition to other hosts`() throws {
        world.withLockedValue {
            $0.fault = .diverged(log: LogHead(position: 5, epoch: 3), store: LogHead(position: 5, epoch: 2))
        }
        see(Self.elsewhere)
        #expect(try ownership.take(0) == nil)
        #expect(world.withLockedValue { $0.alarms }.count == 1, "also where another host has the partition")
        see(OwnerSign(epoch: 2, counter: 5, holder: .nobody))
        #expect(try ownership.take(0) == nil)
        #expect(world.withLockedValue { $0.quarantines }.isEmpty)
    }

    @Test func `lets nobody claim a log that ends before what this host has seen there`() throws {
        see(OwnerSign(position: 9, epoch: 2, counter: 5, holder: .elsewhere))
        #expect(try ownership.take(0) == nil)
        see(OwnerSign(position: 7, epoch: 2, counter: 5, holder: .nobody))
        #expect(try ownership.take(0) == nil)
        #expect(world.withLockedValue { $0.quarantines }.count == 1)
        #expect(world.withLockedValue { $0.alarms }.count == 1)
    }

    @Test func `reads the log four times a second at most, for all partitions at once`() throws {
        see(Self.elsewhere)
        for (reads, pause) in [(1, Int64(200)), (1, 50), (1, 1), (2, 250), (2, 1), (3, 1)] {
            for partition in 0..<16 {
                _ = try ownership.take(partition)
                _ = try ownership.isFree(partition)
            }
            #expect(world.withLockedValue { $0.reads } == reads)
            see(Self.elsewhere, after: pause)
        }
    }

    /// What was read before names an owner before the one that has just died.
    @Test func `reads the log anew when a process of this host has lost the partition`() throws {
        see(OwnerSign(epoch: 1, counter: 5, holder: .nobody))
        #expect(try ownership.isFree(0))
        world.withLockedValue { $0.isLocked = true }
        for _ in 0..<3 { #expect(try !ownership.isFree(0)) }
        #expect(world.withLockedValue { $0.reads } == 1, "the log is not asked about what this host has")
        world.withLockedValue { $0.isLocked = false }
        see(OwnerSign(epoch: 2, counter: 6, holder: .here), after: 10)
        #expect(try ownership.take(0)?.lapse == .init(epoch: 2, counter: 6, isGone: true))
        #expect(world.withLockedValue { $0.reads } == 2)
    }
}
