package import Contracts
import Database
import NIOConcurrencyHelpers

/// Ownership on several machines: this host's locks first, and the logs of the partitions.
///
/// A lock says at once that a process of this host is dead; of another host's owner its counter says so after 3 s. Who
/// takes a partition here may still meet another host's claim: the log decides.
package final class LogOwnership: Ownership {
    /// How often a partition's sign is read; a dead owner of this host waits for it, too.
    private static let readMilliseconds: Int64 = 250

    /// For how long another host, which lacks partitions, may make its copy of one that has become free.
    private static let courtesyMilliseconds: Int64 = 3_000

    private struct Watched {
        var watch = OwnerWatch()
        /// Since when nobody was seen to own it.
        var freeSince: Int64?
        var readAt = Int64.min
        var lapse: OwnerWatch.Lapse?
    }

    private let service: ServiceName
    private let locks: any Ownership
    private let logs: any PartitionLogs
    private let members: (any MemberRecords)?
    private let uptime: @Sendable () -> Int64
    private let watched = NIOLockedValueBox<[Int: Watched]>([:])
    private let others = NIOLockedValueBox(Others())

    private struct Others {
        var watch = MemberWatch()
        var readAt = Int64.min
        var hosts: [String] = []
    }

    /// `members` is nil where the group has one host; `uptime` is a clock that only moves forward, in ms.
    package init(
        of service: ServiceName,
        locks: any Ownership,
        logs: any PartitionLogs,
        members: (any MemberRecords)? = nil,
        uptime: @escaping @Sendable () -> Int64 = { ClockReading.current().uptime }
    ) {
        self.service = service
        self.locks = locks
        self.logs = logs
        self.members = members
        self.uptime = uptime
    }

    /// Joins the replicas of this host, and is told to other hosts.
    package func join() throws -> (any Membership)? {
        guard let place = try locks.join() else { return nil }
        guard let members else { return place }
        return RecordedMembership(place, in: members, uptime: uptime)
    }

    /// The replicas of this host by their locks, and those of other hosts whose counters rise.
    ///
    /// All hosts have one order: by host, and within a host by number.
    package func census() throws -> (members: Int, rank: Int) {
        let here = try locks.census()
        guard let members else { return here }
        let hosts = try hosts(of: members)
        return (here.members + hosts.count, here.rank + hosts.count { $0 < members.host })
    }

    /// The host of each replica elsewhere; what was read last, while nobody says.
    private func hosts(of members: any MemberRecords) throws -> [String] {
        try others.withLockedValue { others in
            let now = uptime()
            guard others.readAt == .min || now - others.readAt >= Self.readMilliseconds else {
                return others.hosts
            }
            others.readAt = now
            do {
                let signs = try members.signs().filter { $0.member.host != members.host }
                others.hosts = others.watch.living(signs, at: now).map(\.host)
            } catch LogFault.unreachable {
                return others.hosts
            }
            return others.hosts
        }
    }

    /// Whether nobody has it here, and nobody elsewhere by what its log says; with other hosts, for 3 s.
    package func isFree(_ partition: Int) throws -> Bool {
        let isFree = try locks.isFree(partition) && lapse(of: partition) != nil
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
        guard try locks.isFree(partition), let lapse = try lapse(of: partition),
            let lock = try locks.take(partition)
        else { return nil }
        // What was seen is used once: if another host claims first, its counter is watched anew.
        watched.withLockedValue { $0[partition] = nil }
        return LoggedPartition(lock, after: lapse)
    }

    /// Nil while an owner may live, or nobody says.
    private func lapse(of partition: Int) throws -> OwnerWatch.Lapse? {
        try watched.withLockedValue { all in
            var one = all[partition] ?? Watched()
            let now = uptime()
            guard one.readAt == .min || now - one.readAt >= Self.readMilliseconds else { return one.lapse }
            one.readAt = now
            do {
                one.lapse = one.watch.lapse(try logs.sign(of: PartitionAddress(service, partition)), at: now)
            } catch LogFault.unreachable {
                one.lapse = nil
            }
            all[partition] = one
            return one.lapse
        }
    }
}

/// A replica's place on this host, whose counter other hosts see.
private final class RecordedMembership: Membership {
    /// Several times within the silence after which it counts as dead.
    private static let announceMilliseconds: Int64 = 500

    private let place: any Membership
    private let members: any MemberRecords
    private let uptime: @Sendable () -> Int64
    private let announcedAt = NIOLockedValueBox(Int64.min)

    init(_ place: any Membership, in members: any MemberRecords, uptime: @escaping @Sendable () -> Int64) {
        self.place = place
        self.members = members
        self.uptime = uptime
    }

    func renew() throws -> Bool {
        guard try place.renew() else { return false }
        let (now, last) = (uptime(), announcedAt.withLockedValue(\.self))
        guard last == .min || now - last >= Self.announceMilliseconds else { return true }
        announcedAt.withLockedValue { $0 = now }
        do {
            try members.announce()
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
