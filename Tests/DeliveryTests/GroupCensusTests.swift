import Contracts
import Database
import NIOConcurrencyHelpers
import Testing

@testable import Delivery

@Suite struct `a census of several hosts` {
    private static let hosts: Set = ["10.0.0.1", "10.0.0.2", "10.0.0.3"]

    /// What the log says of replicas, and what this host has done.
    private struct World {
        var uptime: Int64 = 0
        var signs: [MemberSign]? = []
        var announcements = 0
        /// What was told last.
        var word: MemberWord?
        var notices: [String] = []
        /// When what all share was asked for.
        var readAt = Int64.min
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
        var word: MemberWord { MemberWord(key: host, admits: `a census of several hosts`.hosts) }

        func join() throws -> (any Membership)? { Place() }
        func census() throws -> (members: Int, rank: Int) { (2, 1) }
        func isFree(_ partition: Int) throws -> Bool { true }
        func take(_ partition: Int) throws -> (any OwnedPartition)? { Lock() }
        func open(
            _ partition: PartitionAddress,
            whileWaiting: @escaping (Bool) -> Void
        ) throws -> any PartitionLog {
            throw LogFault.refused("nothing is opened here")
        }
        func read(_ partition: PartitionAddress, notBefore uptime: Int64) throws -> OwnerReading {
            let now = world.withLockedValue { $0.uptime }
            return OwnerReading(OwnerSign(epoch: 0, renewal: nil), began: now, ended: now)
        }
        func quarantine(_ partition: PartitionAddress, _ why: String) throws {}
        func announce(_ word: MemberWord) throws {
            try world.withLockedValue { world in
                world.announcements += 1
                world.word = word
                if world.signs == nil { throw LogFault.unreachable("nobody answers") }
            }
        }
        func withdraw() { world.withLockedValue { $0.isWithdrawn = true } }
        func signs(notBefore uptime: Int64) throws -> (signs: [MemberSign], began: Int64) {
            try world.withLockedValue { world in
                guard let signs = world.signs else { throw LogFault.unreachable("nobody answers") }
                if world.readAt < uptime { (world.readAt, world.reads) = (world.uptime, world.reads + 1) }
                return (signs, world.readAt)
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
            notice: { problem in world.withLockedValue { $0.notices.append(problem) } },
            uptime: { world.withLockedValue { $0.uptime } }
        )
    }

    /// Of a replica that takes part; hosts are their own keys here.
    private static func sign(
        _ host: String,
        _ replica: Int,
        _ counter: Int64,
        of program: String = "orders",
        admits: Set<String> = hosts
    ) -> MemberSign {
        var word = MemberWord(key: host, admits: admits)
        word.isIn = true
        return MemberSign(GroupMember(program, host: host, replica: replica), counter: counter, word: word)
    }

    private func see(_ signs: [MemberSign]?, after milliseconds: Int64 = 300) {
        world.withLockedValue { world in
            world.signs = signs
            world.uptime += milliseconds
        }
    }

    @Test func `counts this host's replicas by their locks, and others by their rows`() throws {
        let receipts = Self.sign("10.0.0.3", 1, 9, of: "receipts")
        let own = [Self.sign("10.0.0.2", 1, 4), Self.sign("10.0.0.2", 2, 4), Self.sign("10.0.0.2", 3, 4)]
        see(own + [Self.sign("10.0.0.1", 1, 9), Self.sign("10.0.0.3", 1, 9), receipts])
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

    @Test func `reads the rows of replicas four times a second at most`() throws {
        for (reads, pause) in [(1, Int64(200)), (1, 50), (1, 1), (2, 250), (2, 1), (3, 1)] {
            for _ in 0..<5 { _ = try ownership.census() }
            #expect(world.withLockedValue { $0.reads } == reads)
            see([Self.sign("10.0.0.1", 1, 9)], after: pause)
        }
    }

    @Test func `tells other hosts of a replica each second, and of news or its end at once`() throws {
        let place = try #require(try ownership.join())
        for _ in 0..<20 { #expect(try place.renew()) }
        #expect(world.withLockedValue { $0.announcements } == 1)
        for (announcements, pause) in [(1, Int64(999)), (2, 1)] {
            see([], after: pause)
            #expect(try place.renew())
            #expect(world.withLockedValue { $0.announcements } == announcements)
        }
        _ = try ownership.census()
        for _ in 0..<20 { #expect(try place.renew()) }
        #expect(world.withLockedValue { $0.announcements } == 3)
        #expect(world.withLockedValue { $0.word?.isIn } == true)
        place.release()
        #expect(world.withLockedValue { $0.isWithdrawn })
    }

    @Test func `leaves what has become free to another host for 3 s, and to nobody else`() throws {
        #expect(try !ownership.isFree(0), "nobody has looked whether there is another host")
        _ = try ownership.census()
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

    @Test func `takes nothing until all let this host in, and says once what it waits for`() throws {
        let place = try #require(try ownership.join())
        let former: Set = ["10.0.0.1", "10.0.0.3"]
        let taken = Self.sign("10.0.0.1", 1, 9)
        for counter in Int64(1)...3 {
            see([taken, Self.sign("10.0.0.1", 1, counter, of: "receipts", admits: former)], after: 500)
            _ = try ownership.census()
            #expect(try ownership.take(0) == nil)
            #expect(try !ownership.isFree(0))
            #expect(try place.renew())
        }
        let text = "host 10.0.0.1 does not admit this host yet: copy counterfoil.json there and restart"
        #expect(world.withLockedValue { $0.notices } == [text])
        #expect(world.withLockedValue { $0.word?.waitsFor } == text)
        #expect(world.withLockedValue { $0.word?.isIn } == false)
        see([taken, Self.sign("10.0.0.1", 1, 4, of: "receipts")], after: 500)
        _ = try ownership.census()
        #expect(try ownership.take(0) != nil)
        #expect(try place.renew())
        #expect(world.withLockedValue { $0.word?.isIn } == true)
        #expect(world.withLockedValue { $0.word?.waitsFor } == nil)
    }

    /// Of two hosts that begin at once one at least sees the other, and waits if that does not let it in.
    @Test func `looks at others once it has told them of itself, and not at what was read before`() throws {
        see([])
        world.withLockedValue { ($0.readAt, $0.reads) = ($0.uptime, 1) }
        see([], after: 10)
        let place = try #require(try ownership.join())
        #expect(try place.renew())
        for _ in 0..<5 { _ = try ownership.census() }
        #expect(world.withLockedValue { $0.reads } == 2)
        see([], after: 200)
        #expect(try place.renew())
        _ = try ownership.census()
        #expect(world.withLockedValue { $0.reads } == 2)
    }

    @Test func `takes nothing of which nobody says whether other hosts let this one in`() throws {
        see(nil)
        _ = try ownership.census()
        #expect(try ownership.take(0) == nil)
        see([])
        _ = try ownership.census()
        #expect(try ownership.take(0) != nil)
    }

    @Test func `goes on where a host comes that does not let this one in, and does not count it`() throws {
        see([])
        _ = try ownership.census()
        var word = MemberWord(key: "10.0.0.1", admits: ["10.0.0.1"])
        word.waitsFor = "this host"
        let newcomer = GroupMember("orders", host: "10.0.0.1", replica: 1)
        see([MemberSign(newcomer, counter: 1, word: word)])
        #expect(try ownership.census().members == 2)
        #expect(try ownership.take(0) != nil)
        #expect(world.withLockedValue { $0.notices }.isEmpty)
    }
}
