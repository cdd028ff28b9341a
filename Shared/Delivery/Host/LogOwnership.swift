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

    private struct Watched {
        var watch = OwnerWatch()
        var readAt = Int64.min
        var lapse: OwnerWatch.Lapse?
    }

    private let service: ServiceName
    private let locks: any Ownership
    private let logs: any PartitionLogs
    private let uptime: @Sendable () -> Int64
    private let watched = NIOLockedValueBox<[Int: Watched]>([:])

    /// `uptime` is a clock that only moves forward, in ms.
    package init(
        of service: ServiceName,
        locks: any Ownership,
        logs: any PartitionLogs,
        uptime: @escaping @Sendable () -> Int64 = { ClockReading.current().uptime }
    ) {
        self.service = service
        self.locks = locks
        self.logs = logs
        self.uptime = uptime
    }

    /// Joins the replicas of this host.
    package func join() throws -> (any Membership)? { try locks.join() }

    /// The replicas of this host: another host's own their partitions until they die or leave.
    package func census() throws -> (members: Int, rank: Int) { try locks.census() }

    /// Whether nobody has it here, and nobody elsewhere by what its log says.
    package func isFree(_ partition: Int) throws -> Bool {
        try locks.isFree(partition) && lapse(of: partition) != nil
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
