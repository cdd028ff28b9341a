import Contracts
import Database
import NIOConcurrencyHelpers
import Testing

@testable import Delivery

@Suite struct `a census of several hosts` {
    /// What the log says of replicas, and what this host has done.
    private struct World {
        var uptime: Int64 = 0
        var signs: [MemberSign]? = []
        var announcements = 0
        var reads = 0
        var isWithdrawn = false
    }

    private final class Place: Membership {
        func renew() throws -> Bool { true }
        func release() {}
    }

    private final class Lock: OwnedPartition {
        var isStillOwned: Bool { true }
        func release() {}
    }

    private struct Host: Ownership, PartitionLogs, MemberRecords {
        let world: NIOLockedValueBox<World>

        var host: String { "10.0.0.2" }

        func join() throws -> (any Membership)? { Place() }
        func census() throws -> (members: Int, rank: Int) { (2, 1) }
        func isFree(_ partition: Int) throws -> Bool { true }
        func take(_ partition: Int) throws -> (any OwnedPartition)? { Lock() }
        func open(
            _ partition: PartitionAddress,
            whileWaiting: @escaping () -> Void
        ) throws -> any PartitionLog {
            throw LogFault.refused("nothing is opened here")
        }
        func sign(of partition: PartitionAddress) throws -> OwnerSign { OwnerSign(epoch: 0, renewal: nil) }
        func quarantine(_ partition: PartitionAddress, _ why: String) throws {}
        func announce() throws {
            try world.withLockedValue { world in
                world.announcements += 1
                if world.signs == nil { throw LogFault.unreachable("nobody answers") }
            }
        }
        func withdraw() { world.withLockedValue { $0.isWithdrawn = true } }
        func signs() throws -> [MemberSign] {
            try world.withLockedValue { world in
                world.reads += 1
                guard let signs = world.signs else { throw LogFault.unreachable("nobody answers") }
                return signs
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
            members: host,
            compare: { _ in },
            alarm: { _, _ in },
            uptime: { world.withLockedValue { $0.uptime } }
        )
    }

    private static func sign(_ host: String, _ replica: Int, _ counter: Int64) -> MemberSign {
        MemberSign(GroupMember(host: host, replica: replica), counter: counter)
    }

    private func see(_ signs: [MemberSign]?, after milliseconds: Int64 = 300) {
        world.withLockedValue { world in
            world.signs = signs
            world.uptime += milliseconds
        }
    }

    @Test func `counts this host's replicas by their locks, and others by their rows`() throws {
        let own = [Self.sign("10.0.0.2", 1, 4), Self.sign("10.0.0.2", 2, 4), Self.sign("10.0.0.2", 3, 4)]
        see(own + [Self.sign("10.0.0.1", 1, 9), Self.sign("10.0.0.3", 1, 9)])
        let census = try ownership.census()
        #expect(census.members == 4)
        #expect(census.rank == 2, "one host comes before this one")
    }

    @Test func `counts a silent host for 3 s, and what was read last while nobody says`() throws {
        let other = [Self.sign("10.0.0.1", 1, 9)]
        see(other)
        #expect(try ownership.census().members == 3)
        see(nil, after: 2_000)
        #expect(try ownership.census().members == 3)
        see(other, after: 1_000)
        #expect(try ownership.census().members == 2)
    }

    @Test func `tells other hosts of a replica twice a second at most, and of its end`() throws {
        let place = try #require(try ownership.join())
        for _ in 0..<20 { #expect(try place.renew()) }
        #expect(world.withLockedValue { $0.announcements } == 1)
        see([], after: 500)
        #expect(try place.renew())
        #expect(world.withLockedValue { $0.announcements } == 2)
        place.release()
        #expect(world.withLockedValue { $0.isWithdrawn })
    }

    @Test func `leaves what has become free to another host for 3 s, and to nobody else`() throws {
        #expect(try ownership.isFree(0), "there is no other host")
        see([Self.sign("10.0.0.1", 1, 1)])
        _ = try ownership.census()
        #expect(try !ownership.isFree(1))
        see([Self.sign("10.0.0.1", 1, 2)], after: 2_999)
        #expect(try !ownership.isFree(1))
        see([Self.sign("10.0.0.1", 1, 3)], after: 1)
        #expect(try ownership.isFree(1))
    }

    @Test func `keeps a replica's place while the log is silent`() throws {
        let place = try #require(try ownership.join())
        see(nil)
        #expect(try place.renew())
    }
}
