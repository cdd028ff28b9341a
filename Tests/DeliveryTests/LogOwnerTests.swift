import Database
import Testing

@testable import Delivery

@Suite struct `the owner of a partition with a log` {
    private let shared = SharedLog()

    private func owner(_ name: String = "a", uptime: Int64 = 0) throws -> LogHost {
        let host = try LogHost(shared, name, uptime: uptime)
        try host.claim(after: #require(try host.lapse()))
        return host
    }

    /// Another host that has seen the counter stand still for 3 s.
    private func heir(_ name: String = "b", uptime: Int64 = 500_000) throws -> LogHost {
        let host = try LogHost(shared, name, uptime: uptime)
        #expect(try host.lapse() == nil)
        try host.watch(for: 2_750)
        host.uptime += 250
        return host
    }

    @Test func `claims at once what nobody has, and what a dead process of its host had`() throws {
        let first = try owner()
        try first.add(1)
        let second = try LogHost(shared, "a", uptime: 9, store: first.store)
        try second.claim(after: #require(try second.lapse()))
        #expect(second.paused == 0)
        #expect(try second.read() == 1)
        #expect(throws: StoreError.self) { try first.add(2) }
    }

    @Test func `is followed at once when it has left`() throws {
        let first = try owner()
        try first.add(1)
        try first.owner?.leave()
        #expect(throws: StoreError.self, "who has left answers nothing") { try first.read() }
        let second = try owner("b")
        #expect(try second.read() == 1)
    }

    @Test func `answers reads under a lease, renews it when it has ended, and else answers nothing`() throws {
        let host = try owner()
        shared.isUnreachable = true
        host.uptime = 1_999
        #expect(try host.read() == 0)
        host.uptime = 2_000
        #expect(throws: StoreError.unproven, "no full disk, and no busy one") { try host.read() }
        shared.isUnreachable = false
        #expect(try host.read() == 0)
        #expect(host.ends.isEmpty)
    }

    @Test func `that was stopped across a claim tells nobody anything again`() throws {
        let stopped = try owner()
        try stopped.add(1)
        let heir = try heir()
        try heir.claim(after: #require(try heir.lapse()))
        #expect(heir.paused == 0, "its lease ended before the claim")
        try heir.add(2)
        stopped.uptime += 3_000
        #expect(throws: StoreError.self) { try stopped.read() }
        #expect(throws: StoreError.self) { try stopped.owner?.renew() }
        #expect(throws: StoreError.self) { try stopped.add(3) }
        #expect(try heir.read() == 2)
    }

    /// The negative control of the test above.
    @Test func `that reads without a lease tells what is not so any more`() throws {
        let stopped = try owner()
        try stopped.add(1)
        let heir = try heir()
        try heir.claim(after: #require(try heir.lapse()))
        try heir.add(2)
        #expect(try stopped.readAtOnce() == 1, "2 were told by the heir")
    }

    @Test func `that renewed between the silence and the claim is waited for`() throws {
        let first = try owner()
        let heir = try heir()
        let lapse = try #require(try heir.lapse())
        try first.owner?.renew()
        heir.shortPauses = [300, 0, 900]
        try heir.claim(after: lapse)
        #expect(heir.paused == OwnerLease.milliseconds)
        first.uptime += OwnerLease.milliseconds
        #expect(throws: StoreError.self) { try first.read() }
    }

    @Test func `is not claimed from by a host that saw an older owner gone`() throws {
        _ = try owner()
        let (second, third) = (try heir("b"), try heir("c", uptime: 77))
        let late = try #require(try third.lapse())
        try second.claim(after: #require(try second.lapse()))
        #expect(throws: StoreError.self) { try third.claim(after: late) }
        try second.add(1)
        #expect(try second.read() == 1)
    }

    @Test func `finds at a renewal that the log has lost entries, and appends them again`() throws {
        let host = try owner()
        for note in 1...5 { try host.add(note) }
        shared.entries.lose(behind: 3)
        try host.owner?.renew()
        #expect(host.alarms.count == 1)
        #expect(try shared.entries.head() == host.owner?.database.head)
        let heir = try heir()
        try heir.claim(after: #require(try heir.lapse()))
        #expect(try heir.read() == 5)
        #expect(try StoreComparison.firstDifference(heir.store, host.store) == nil)
    }

    // MARK: What a log has lost

    /// An owner that told of five notes and died; PostgreSQL has lost the last two since.
    private func loseTwo(seenBy heirs: [LogHost]) throws {
        let host = try owner()
        for note in 1...5 { try host.add(note) }
        for heir in heirs { #expect(try heir.lapse() == nil) }
        shared.entries.lose(behind: try shared.entries.head().position - 2)
    }

    @Test func `is not followed by who has seen what the log has lost, nor then by anybody`() throws {
        let (heir, late) = (try LogHost(shared, "b"), try LogHost(shared, "c"))
        try loseTwo(seenBy: [heir])
        try heir.watch(for: 2_750)
        #expect(shared.quarantine == nil, "its owner may append them again")
        try heir.watch(for: 500)
        #expect(shared.quarantine != nil)
        for host in [heir, late] {
            try host.watch(for: 6_000)
            #expect(try host.lapse() == nil)
        }
        shared.quarantine = nil
        for host in [heir, late] { try host.watch(for: 3_250) }
        #expect(try heir.lapse() != nil, "the operator has looked")
        #expect(try late.lapse() != nil)
    }

    /// The negative control of the test above.
    @Test func `is followed silently by who forgets what it has seen, and what was told is gone`() throws {
        let heir = try LogHost(shared, "b")
        try loseTwo(seenBy: [heir])
        heir.watch = OwnerWatch()
        try heir.watch(for: 3_250)
        try heir.claim(after: #require(try heir.lapse()))
        #expect(try heir.read() == 3, "5 were told")
        #expect(shared.quarantine == nil && heir.alarms.isEmpty)
    }

    @Test func `is followed where it has appended again what the log had lost`() throws {
        let host = try owner()
        for note in 1...5 { try host.add(note) }
        let heir = try LogHost(shared, "b")
        #expect(try heir.lapse() == nil)
        shared.entries.lose(behind: 3)
        try heir.watch(for: 2_000)
        try host.owner?.renew()
        try heir.watch(for: 3_250)
        #expect(shared.quarantine == nil)
        try heir.claim(after: #require(try heir.lapse()))
        #expect(try heir.read() == 5)
    }

    @Test func `that cannot append again what the log has lost lets nobody go on with less`() throws {
        let first = try owner()
        for note in 1...5 { try first.add(note) }
        let second = try heir()
        try second.claim(after: #require(try second.lapse()))
        shared.entries.lose(behind: 3)
        #expect(throws: StoreError.self) { try second.owner?.renew() }
        #expect(second.ends.count == 1)
        #expect(shared.quarantine != nil)
        let third = try LogHost(shared, "c")
        try third.watch(for: 6_000)
        #expect(try third.lapse() == nil)
    }

    @Test func `of whose log another one goes on without what was lost is told of at once`() throws {
        let (heir, watcher) = (try LogHost(shared, "b"), try LogHost(shared, "c"))
        try loseTwo(seenBy: [watcher])
        try heir.watch(for: 3_250)
        try heir.claim(after: #require(try heir.lapse()))
        try watcher.watch(for: 250)
        #expect(shared.quarantine != nil)
    }

    @Test func `is one at a time, whoever stops, is cut off or comes back: every told note stays`() throws {
        var random = SystemRandomNumberGenerator()
        var ever: Set<Int> = []
        for _ in 0..<20 {
            let shared = SharedLog()
            var hosts = try ["a", "b", "c"].map { try LogHost(shared, $0, uptime: .random(in: 0...9_999)) }
            var told: Set<Int> = []
            for note in 0..<200 {
                for host in hosts where Bool.random(using: &random) { host.uptime += .random(in: 0...900) }
                let index = Int.random(in: 0..<hosts.count, using: &random)
                let host = hosts[index]
                do {
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: hosts[index] = try LogHost(shared, host.name, uptime: host.uptime)
                    case 1: shared.isUnreachable.toggle()
                    case 2...5:
                        if host.owner == nil, let lapse = try host.lapse() { try host.claim(after: lapse) }
                    default:
                        guard host.owner != nil else { continue }
                        try host.add(note)
                        told.insert(note)
                    }
                } catch is StoreError {
                    hosts[index] = try LogHost(shared, host.name, uptime: host.uptime)
                }
            }
            ever.formUnion(told)
            let copy = try SQLiteDatabase(path: ":memory:")
            try LogFollower(copy).catchUp(with: shared.entries)
            guard !told.isEmpty else { continue }
            let kept = try copy.write { try $0.rows("SELECT id FROM note", []).map { try $0[0] as Int } }
            #expect(told.isSubset(of: kept))
        }
        #expect(!ever.isEmpty)
    }
}
