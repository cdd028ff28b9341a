import Database
import ZeroMQ

/// The owner of a partition that has a log: its claim, its renewals, and its snapshots.
///
/// | the process dies | what others find |
/// |---|---|
/// | before the claim | what was there |
/// | between claim and first renewal | a claim that nobody renews: 3 s, or at once on this host |
/// | later | a counter that stands still: the same |
/// | after `leave` | nobody: at once |
///
/// A fenced owner meets a taken position with its next entry, and its next renewal fails; until then it answers reads
/// under a lease that ends before anybody claims.
final class LogOwner {
    /// What the owner needs of the process around it, which it never outlives.
    struct Process {
        /// A clock that only moves forward, and goes on while the machine sleeps; ms.
        var uptime: () -> Int64
        /// May end early, as by a signal.
        var pause: (Int64) -> Void
        /// Waits before something with an unknown outcome is repeated; false if it is given up.
        var repeats: (Int, String) -> Bool
        /// Ends the process; it may return where waiting was given up, and nothing is written then.
        var end: (String) -> Void
        var alarm: (String) -> Void
        /// Lets nobody claim the partition before an operator has looked.
        var quarantine: (String) -> Void
    }

    let database: ReplicatedDatabase
    private let log: any PartitionLog
    private let endpoint: Endpoint
    private let process: Process
    private let snapshotter: LogSnapshotter
    private let lease: Lease

    /// What the store's proof and the owner share.
    private final class Lease {
        var value = OwnerLease()
        weak var owner: LogOwner?
    }

    /// The owner of `store`, which lies at `path` and was opened with a recorder.
    ///
    /// - Throws: `StoreError`.
    init(
        _ store: SQLiteDatabase,
        at path: String,
        log: any PartitionLog,
        endpoint: Endpoint,
        _ process: Process
    ) throws {
        self.log = log
        self.endpoint = endpoint
        self.process = process
        let lease = Lease()
        var settings = ReplicatedDatabase.Settings(repeats: process.repeats, end: process.end)
        settings.alarm = process.alarm
        settings.quarantine = process.quarantine
        settings.prove = {
            guard !lease.value.isValid(at: process.uptime()) else { return }
            try lease.owner?.renew()
            // Not held: who asked repeats, and nothing was said.
            guard lease.value.isValid(at: process.uptime()) else { throw StoreError.unproven }
        }
        database = try ReplicatedDatabase(store, log: log.commits, settings: settings)
        snapshotter = LogSnapshotter(of: path, log: log.commits)
        self.lease = lease
        lease.owner = self
    }

    /// Claims the partition behind the epoch at which its former owner was seen to be gone.
    ///
    /// `claimant` is another one at each call in the whole group.
    ///
    /// - Throws: `StoreError.taken` if another one has claimed it; what `ReplicatedDatabase.claim` throws.
    func claim(after lapse: OwnerWatch.Lapse, claimant: [UInt8]) throws {
        try database.claim(claimant, after: lapse.epoch)
        var attempts = 0
        while true {
            let sentAt = process.uptime()
            let renewal = try log.renew(at: database.head, endpoint: endpoint)
            try take(renewal, sentAt: sentAt)
            switch renewal {
            case .renewed(let counter):
                if lapse.mayLease(firstCounter: counter) { outliveLease() }
                return
            case .unknown(let why):
                attempts += 1
                guard process.repeats(attempts, why) else { throw StoreError.failed(why) }
            case .behind, .taken: continue
            }
        }
    }

    private func outliveLease() {
        let end = process.uptime() + OwnerLease.milliseconds
        var rest = OwnerLease.milliseconds
        while rest > 0 {
            process.pause(rest)
            rest = end - process.uptime()
        }
    }

    /// Raises the counter, each second and when the lease has ended; an unknown outcome changes nothing.
    ///
    /// - Throws: `StoreError.taken` if another one has claimed; what `ReplicatedDatabase.mend` throws.
    func renew() throws {
        guard !lease.value.isLost else { throw StoreError.taken("the partition was left") }
        let sentAt = process.uptime()
        try take(try log.renew(at: database.head, endpoint: endpoint), sentAt: sentAt)
    }

    private func take(_ renewal: OwnerRenewal, sentAt: Int64) throws {
        switch renewal {
        case .renewed: lease.value.apply(.acknowledged(sentAt: sentAt))
        case .unknown: lease.value.apply(.unknown)
        case .behind(let end): try database.mend(after: end)
        case .taken:
            lease.value.apply(.lost)
            throw StoreError.taken("another host has claimed the partition")
        }
    }

    /// Does a piece of a snapshot, between two batches.
    ///
    /// - Returns: why one has failed.
    func turn() -> String? { snapshotter.turn(database) }

    /// Whether a snapshot is half-done.
    var isBusy: Bool { snapshotter.isBusy }

    /// Lets go of what is half-done; before the store is closed.
    func giveUp() { snapshotter.giveUp() }

    /// Says that the partition is free, after its last entry; nothing is answered any more.
    ///
    /// If nobody hears it, others wait for 3 s.
    ///
    /// - Throws: `LogFault`.
    func leave() throws {
        lease.value.apply(.lost)
        _ = try log.renew(at: database.head, endpoint: nil)
    }
}
