package import Contracts
package import Database

/// This host's copies of partitions that other hosts own: who takes one over here applies the tail of its log alone.
///
/// A copy is worked on under its partition's lock, so that no process of this host takes the partition meanwhile; it
/// would have to do the same work first.
///
/// | a round finds | it does |
/// |---|---|
/// | an owner of this host, or nobody, or a quarantine | nothing |
/// | the log where the copy was last | nothing |
/// | the log further | applies its entries, behind a snapshot if it has to |
/// | no answer, or a full disk | nothing: the next round tries again |
/// | a copy whose log has lost something of it | tells it once; `LogOwnership` keeps the partition from being taken |
/// | a copy that the log's entries do not fit | puts it aside and tells it: the next round makes another one |
package final class PartitionCopies {
    private let service: ServiceName
    private let partitions: Int
    private let dataFolder: String
    private let locks: any Ownership
    private let sign: (PartitionAddress) throws -> OwnerSign
    private let log: (PartitionAddress) -> any CommitLog
    private let alarm: (PartitionAddress, String) -> Void
    private var followed: [Int: LogHead] = [:]
    private var told: [Int: String] = [:]

    /// Copies in the folder of a service's stores, which one thread looks after.
    ///
    /// `locks` are those of this host; `sign` says who owns a partition, `log` is for the thread that calls, and
    /// `alarm` tells an operator of a copy that does not follow.
    package init(
        of service: ServiceName,
        partitions: Int,
        in dataFolder: String,
        locks: any Ownership,
        sign: @escaping (PartitionAddress) throws -> OwnerSign,
        log: @escaping (PartitionAddress) -> any CommitLog,
        alarm: @escaping (PartitionAddress, String) -> Void
    ) {
        self.service = service
        self.partitions = partitions
        self.dataFolder = dataFolder
        self.locks = locks
        self.sign = sign
        self.log = log
        self.alarm = alarm
    }

    /// Brings the copy of each partition that another host owns to where its log is now.
    package func follow() {
        for number in 0..<partitions {
            do {
                try follow(number)
                told[number] = nil
            } catch is LogFault {
                continue  // no answer, or pruned while it was read: the next round finds out
            } catch StoreError.full, StoreError.busy {
                continue
            } catch let fault as LogFollowerFault {
                tell(fault.text, of: number)
            } catch {
                tell("\(error)", of: number)
            }
        }
    }

    private func follow(_ number: Int) throws {
        let partition = PartitionAddress(service, number)
        let seen = try sign(partition)
        let last = LogHead(position: seen.position, epoch: seen.epoch)
        guard seen.holder == .elsewhere, !seen.isQuarantined, followed[number] != last,
            let lock = try locks.take(number)
        else { return }
        defer { lock.release() }
        let (path, log) = ("\(dataFolder)/\(number).sqlite", log(partition))
        let copy = LocalCopy(at: path, of: log)
        do {
            _ = try copy.prepare()
            followed[number] = try Self.catchUp(path, with: log)
        } catch  where LocalCopy.isUnfit(error) {
            LocalCopy.putAside(path)
            throw error
        }
    }

    private static func catchUp(_ path: String, with log: any CommitLog) throws -> LogHead {
        let store = try SQLiteDatabase(path: path, synchronous: .normal)
        let follower = try LogFollower(store)
        try follower.catchUp(with: log)
        try follower.stop()
        try store.close()
        return follower.head
    }

    private func tell(_ problem: String, of number: Int) {
        guard told[number] != problem else { return }
        told[number] = problem
        alarm(PartitionAddress(service, number), "this host's copy does not follow its log: \(problem)")
    }
}
