package import Contracts
import Database
import NIOConcurrencyHelpers

/// Ownership on several machines: this host's locks first, and the logs of the partitions.
///
/// A lock says at once that a process of this host is dead; of another host's owner its counter says so after 3 s. Who
/// takes a partition here may still meet another host's claim: the log decides.
package final class LogOwnership: Ownership {
    /// So old is what was read of partitions and replicas at most, when it is looked at; all of a turn share it.
    private static let readMilliseconds: Int64 = 250

    /// A copy that its log has left is compared again after so long.
    private static let compareMilliseconds: Int64 = 30_000

    /// For how long another host, which lacks partitions, may make its copy of one that has become free.
    private static let courtesyMilliseconds: Int64 = 3_000

    private struct Watched {
        var watch = OwnerWatch()
        /// Since when nobody was seen to own it.
        var freeSince: Int64?
        /// Whether a process of this host had it when it was looked at last.
        var wasHeldHere = false
        /// What was asked for earlier says nothing of it.
        var notBefore = Int64.min
        /// When what was judged last was asked for.
        var readAt = Int64.min
        var lapse: OwnerWatch.Lapse?
        /// When this host's copy was compared with the log, and whether the log had what it holds.
        var comparison: (at: Int64, isFine: Bool)?
        /// What the operator was told last.
        var told: String?
    }

    private let service: ServiceName
    private let locks: any Ownership
    private let logs: any PartitionLogs
    private let members: (any MemberRecords)?
    private let compare: @Sendable (Int) throws -> Void
    private let alarm: @Sendable (PartitionAddress, String) -> Void
    private let uptime: @Sendable () -> Int64
    private let watched = NIOLockedValueBox<[Int: Watched]>([:])
    private let notice: @Sendable (String) -> Void
    private let others: NIOLockedValueBox<Others>

    private struct Others {
        var watch = MemberWatch()
        var admission = AdmissionWatch()
        var readAt = Int64.min
        /// When others were told of this replica first; what was asked for earlier may lack who has told meanwhile.
        var toldAt = Int64.min
        /// The host of each replica of this service elsewhere.
        var hosts: [String] = []
        /// What this replica says of itself; nil where the group has one host.
        var word: MemberWord?

        /// Takes in what is seen of other hosts' replicas.
        mutating func see(_ signs: [MemberSign], of service: ServiceName, at uptime: Int64) {
            guard var word else { return }
            let living = admission.present(watch.living(signs, at: uptime))
            if !word.isIn {
                word.waitsFor = admission.obstacle(for: word, among: living, at: uptime)?.text
                word.isIn = word.waitsFor == nil
            }
            self.word = word
            let partners = AdmissionWatch.partners(of: word, among: living)
            hosts = partners.filter { $0.program == service.rawValue }.map(\.host)
        }
    }

    /// `members` is nil where the group has one host; `uptime` is a clock that only moves forward, in ms.
    ///
    /// `compare` throws `LogFollowerFault` if a partition's log has lost what this host's copy of its store holds; the
    /// partition's lock is held meanwhile. `alarm` tells an operator what is lost, `notice` what this host waits for.
    package init(
        of service: ServiceName,
        locks: any Ownership,
        logs: any PartitionLogs,
        members: (any MemberRecords)? = nil,
        compare: @escaping @Sendable (Int) throws -> Void,
        alarm: @escaping @Sendable (PartitionAddress, String) -> Void,
        notice: @escaping @Sendable (String) -> Void = { _ in },
        uptime: @escaping @Sendable () -> Int64 = { ClockReading.current().uptime }
    ) {
        self.service = service
        self.locks = locks
        self.logs = logs
        self.members = members
        self.compare = compare
        self.alarm = alarm
        self.notice = notice
        others = NIOLockedValueBox(Others(word: members?.word))
        self.uptime = uptime
    }

    /// Joins the replicas of this host, and is told to other hosts.
    package func join() throws -> (any Membership)? {
        guard let place = try locks.join() else { return nil }
        guard let members else { return place }
        let others = others
        return RecordedMembership(
            place,
            in: members,
            word: { others.withLockedValue { $0.word } ?? members.word },
            told: { uptime in others.withLockedValue { if $0.toldAt == .min { $0.toldAt = uptime } } },
            uptime: uptime
        )
    }

    /// The replicas of this host by their locks, and those of other hosts whose counters rise.
    ///
    /// All hosts have one order: by host, and within a host by number. A replica of a host that is not let in counts
    /// nowhere, and takes nothing.
    package func census() throws -> (members: Int, rank: Int) {
        let here = try locks.census()
        guard let members else { return here }
        let hosts = try hosts(of: members)
        return (here.members + hosts.count, here.rank + hosts.count { $0 < members.host })
    }

    /// The host of each replica elsewhere; what was read last, while nobody says.
    private func hosts(of members: any MemberRecords) throws -> [String] {
        let (hosts, news) = try others.withLockedValue { others -> ([String], String?) in
            let former = others.word?.waitsFor
            do {
                // Each tells first and looks then: of two that begin at once one at least sees the other.
                let oldest = max(others.toldAt, uptime() - Self.readMilliseconds)
                let (signs, began) = try members.signs(notBefore: oldest)
                guard began != others.readAt else { return (others.hosts, nil) }
                others.readAt = began
                others.see(signs.filter { $0.member.host != members.host }, of: service, at: began)
            } catch LogFault.unreachable {
                return (others.hosts, nil)
            }
            let waitsFor = others.word?.waitsFor
            return (others.hosts, waitsFor == former ? nil : waitsFor)
        }
        if let news { notice(news) }
        return hosts
    }

    /// Whether other hosts let this one in, if there are any; not before they were looked at.
    private var isIn: Bool { members == nil || others.withLockedValue { $0.word?.isIn == true } }

    /// Whether nobody has it here, and nobody elsewhere by what its log says; with other hosts, for 3 s.
    package func isFree(_ partition: Int) throws -> Bool {
        guard isIn else { return false }
        let isFree = try isUnheld(partition) && lapse(of: partition) != nil
        let isAlone = others.withLockedValue { $0.hosts.isEmpty }
        let now = uptime()
        let since = watched.withLockedValue { watched in
            let since = isFree ? watched[partition]?.freeSince ?? now : nil
            watched[partition]?.freeSince = since
            return since
        }
        return since.map { isAlone || now - $0 >= Self.courtesyMilliseconds } ?? false
    }

    /// Takes the lock; the claim in the log comes later.
    package func take(_ partition: Int) throws -> (any OwnedPartition)? {
        // The log is not asked about what a process of this host has.
        guard isIn, try isUnheld(partition), let lapse = try lapse(of: partition),
            let lock = try locks.take(partition)
        else { return nil }
        // What was seen is used once: if another host claims first, its counter is watched anew. The highest entry that
        // was seen stays known.
        watched.withLockedValue { all in
            var next = Watched()
            next.watch = all[partition]?.watch ?? next.watch
            next.watch.interrupt()
            next.wasHeldHere = true
            all[partition] = next
        }
        return LoggedPartition(lock, after: lapse)
    }

    /// Whether no process of this host has it.
    private func isUnheld(_ partition: Int) throws -> Bool {
        if try locks.isFree(partition) { return true }
        watched.withLockedValue { $0[partition, default: Watched()].wasHeldHere = true }
        return false
    }

    /// Nil while an owner may live, nobody says, or an operator has to look.
    private func lapse(of partition: Int) throws -> OwnerWatch.Lapse? {
        try watched.withLockedValue { all in
            var one = all[partition] ?? Watched()
            defer { all[partition] = one }
            let now = uptime()
            // What was read before it became free may be of an owner before the last one.
            if one.wasHeldHere { (one.notBefore, one.wasHeldHere) = (now, false) }
            let former = one.lapse
            one.lapse = nil
            do {
                let oldest = max(one.notBefore, now - Self.readMilliseconds)
                let reading = try logs.read(PartitionAddress(service, partition), notBefore: oldest)
                let isNew = reading.began != one.readAt
                one.readAt = reading.began
                one.lapse = isNew ? try judge(reading, of: partition, &one, now) : former
            } catch LogFault.unreachable, LogFault.refused {
                one.watch.interrupt()
            }
            return one.lapse
        }
    }

    private func judge(
        _ reading: OwnerReading,
        of partition: Int,
        _ one: inout Watched,
        _ now: Int64
    ) throws -> OwnerWatch.Lapse? {
        let address = PartitionAddress(service, partition)
        let hasAll = try hasAll(partition, &one, now)
        switch one.watch.judge(reading) {
        case .wait: return nil
        case .claim(let lapse): return hasAll ? lapse : nil
        case .lost(let position):
            let problem = "its log has lost entries up to \(position), which this host has seen there"
            try logs.quarantine(address, problem)
            tell(problem, address, &one)
            return nil
        }
    }

    /// Whether the log has all that this host's copy holds.
    ///
    /// It is asked about a partition that another host owns, too: the copy may be the last one of what a log has lost,
    /// and the owner may have begun with a shorter one. A copy that does not fit is looked at again: it may have been
    /// moved away.
    private func hasAll(_ partition: Int, _ one: inout Watched, _ now: Int64) throws -> Bool {
        if let known = one.comparison, known.isFine || now - known.at < Self.compareMilliseconds {
            return known.isFine
        }
        // A process of this host that has the partition has compared it.
        guard let lock = try locks.take(partition) else { return false }
        defer { lock.release() }
        do {
            try compare(partition)
            one.comparison = (now, true)
        } catch let fault as LogFollowerFault {
            one.comparison = (now, false)
            let address = PartitionAddress(service, partition)
            if case .behind = fault { try logs.quarantine(address, fault.text) }
            let advice = "move this host's copy to a safe place, and see deploy/README.md"
            tell("\(fault.text); \(advice)", address, &one)
        } catch let fault as StoreError {
            one.comparison = (now, false)
            let problem = "this host's copy cannot be compared with the log: \(fault)"
            tell(problem, PartitionAddress(service, partition), &one)
        }
        return one.comparison?.isFine == true
    }

    private func tell(_ problem: String, _ partition: PartitionAddress, _ one: inout Watched) {
        guard one.told != problem else { return }
        one.told = problem
        alarm(partition, problem)
    }
}

/// A replica's place on this host, whose counter other hosts see.
private final class RecordedMembership: Membership {
    /// Several times within the silence after which it counts as dead, as an owner's renewals.
    private static let announceMilliseconds: Int64 = 1_000

    private let place: any Membership
    private let members: any MemberRecords
    private let word: @Sendable () -> MemberWord
    private let told: @Sendable (Int64) -> Void
    private let uptime: @Sendable () -> Int64
    private let announced = NIOLockedValueBox<(at: Int64, word: MemberWord)?>(nil)

    init(
        _ place: any Membership,
        in members: any MemberRecords,
        word: @escaping @Sendable () -> MemberWord,
        told: @escaping @Sendable (Int64) -> Void,
        uptime: @escaping @Sendable () -> Int64
    ) {
        self.place = place
        self.members = members
        self.word = word
        self.told = told
        self.uptime = uptime
    }

    func renew() throws -> Bool {
        guard try place.renew() else { return false }
        let (now, word) = (uptime(), word())
        let last = announced.withLockedValue(\.self)
        // Another word is news.
        if let last, last.word == word, now - last.at < Self.announceMilliseconds { return true }
        announced.withLockedValue { $0 = (now, word) }
        do {
            try members.announce(word)
            told(uptime())
        } catch LogFault.unreachable {
            return true  // the partitions' own renewals decide who owns them
        }
        return true
    }

    /// If nobody hears it, other hosts count this replica for 3 s more.
    func release() {
        members.withdraw()
        place.release()
    }
}

/// A lock of this host, and what a claim of its partition may follow.
private final class LoggedPartition: OwnedPartition {
    private let lock: any OwnedPartition
    private let seen: OwnerWatch.Lapse

    init(_ lock: any OwnedPartition, after lapse: OwnerWatch.Lapse) {
        self.lock = lock
        seen = lapse
    }

    var lapse: OwnerWatch.Lapse? { seen }

    var isStillOwned: Bool { lock.isStillOwned }

    func release() { lock.release() }
}
