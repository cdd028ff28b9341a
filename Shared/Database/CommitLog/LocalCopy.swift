import Glibc

/// The file of a partition's store where the partition has a log: a copy that is made anew when it cannot follow.
///
/// | the file | the log has the entry that it ends with | what is done |
/// |---|---|---|
/// | whole | yes, or the file is new and nothing is pruned | it is kept: the tail is applied |
/// | older than what is kept | pruned | made from the newest snapshot that is whole |
/// | none, and the log is pruned | | the same |
/// | without its log, or damaged | | `putAside`, and as none |
/// | one that the tail does not fit | yes | `putAside` by whoever finds it, and as none |
/// | newer than the log, or of another road | no | `LogFollowerFault`: it stays, and nobody goes on |
/// | one that no log has made | | the same, here or by the follower |
///
/// Whoever calls holds the store's lock.
package struct LocalCopy {
    /// Where the store comes from.
    package enum Origin: Hashable, Sendable {
        /// The file that was there, or none.
        case kept
        /// A snapshot of the log.
        case snapshot(LogHead)
    }

    /// A snapshot may be pruned while it is read: so often they are listed again.
    private static let maximumAttempts = 4

    private let path: String
    private let log: any CommitLog

    /// The copy at `path`.
    package init(at path: String, of log: any CommitLog) {
        self.path = path
        self.log = log
    }

    /// Makes a file that the log's entries can be applied to.
    ///
    /// - Throws: `LogFollowerFault` if the log has lost what the file holds, or never had it; `LogFault`, `StoreError`.
    package func prepare() throws -> Origin {
        if try canFollow() { return .kept }
        // A snapshot would take its place, and nothing else holds what is in it.
        try follower()?.checkOrigin()
        for _ in 0..<Self.maximumAttempts {
            if let head = try makeFromOne(of: try log.snapshots()) { return .snapshot(head) }
        }
        throw LogFault.unreachable("each snapshot was pruned while it was read")
    }

    /// Makes the file from the newest one that is whole; nil if there is none, but some were pruned meanwhile.
    private func makeFromOne(of snapshots: [LogSnapshot]) throws -> LogHead? {
        var problem = "the log's first entries are gone, and it has no snapshot"
        var isPruned = false
        for snapshot in snapshots {
            do {
                try make(from: snapshot)
                return snapshot.head
            } catch LogFault.pruned {
                isPruned = true
            } catch LogFault.unreadable(let why) {
                problem = why
            }
        }
        guard isPruned else { throw LogFault.unreadable(problem) }
        return nil
    }

    /// Fails if the log has lost what the file holds; asks nothing where there is none.
    ///
    /// - Throws: `LogFollowerFault`; `LogFault`, `StoreError`.
    package func compare() throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        _ = try canFollow()
    }

    /// Keeps a file aside that its log's entries do not fit, such as a damaged one; `prepare` then makes another one.
    ///
    /// Whatever it held is in the log, unless that has lost something: so it stays, as `….unfit`, and an operator may
    /// look into it.
    package static func putAside(_ path: String) {
        let suffixes = ["", "-wal", "-journal"]
        for suffix in suffixes { unlink(path + ".unfit" + suffix) }
        // What is not there stays away.
        for suffix in suffixes { rename(path + suffix, path + ".unfit" + suffix) }
    }

    /// Whether a fault says that a store does not fit its log, so that another copy may.
    package static func isUnfit(_ fault: any Error) -> Bool {
        switch fault {
        case RowChangesFault.diverged, RowChangesFault.unknownTable, StoreError.damaged: true
        default: false
        }
    }

    private func canFollow() throws -> Bool {
        let head: LogHead
        do {
            let follower = try follower()
            if let lineage = follower?.lineage { log.expect(lineage) }
            head = follower?.head ?? .empty
        } catch StoreError.replaced(_), StoreError.damaged(_) {
            Self.putAside(path)
            head = .empty
        }
        let last = try log.head()
        guard head.position <= last.position else { throw LogFollowerFault.behind(log: last, store: head) }
        do {
            let first = try log.entries(from: max(1, head.position), maximumBytes: 1).first
            guard head.position > 0 else { return true }
            guard first?.head == head else {
                throw LogFollowerFault.diverged(log: first?.head ?? last, store: head)
            }
            return true
        } catch LogFault.pruned {
            return false
        }
    }

    /// What the file holds; nil where there is none.
    private func follower() throws -> LogFollower? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return try LogFollower(SQLiteDatabase(path: path, synchronous: .normal))
    }

    private func make(from snapshot: LogSnapshot) throws {
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fault(new) }
        do {
            defer { close(descriptor) }
            var digest = SnapshotDigest()
            for number in 0..<snapshot.parts {
                let part = try log.part(number, of: snapshot)
                digest.add(part)
                try write(part, descriptor, new)
            }
            guard digest.value == snapshot.digest else {
                throw LogFault.unreadable("the snapshot at \(snapshot.head.position) is damaged")
            }
            guard fsync(descriptor) == 0 else { throw fault(new) }
        } catch {
            unlink(new)
            throw error
        }
        remove()
        guard rename(new, path) == 0 else { throw fault(path) }
        let found: LogHead?
        do { found = try follower()?.head } catch StoreError.damaged(let why) {
            remove()
            throw LogFault.unreadable("the snapshot at \(snapshot.head.position) is no store: \(why)")
        }
        guard found == snapshot.head else {
            remove()
            throw LogFault.unreadable(
                "the snapshot at \(snapshot.head.position) holds a store at \(found?.position ?? 0)"
            )
        }
    }

    private func write(_ bytes: [UInt8], _ descriptor: Int32, _ file: String) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw fault(file) }
            done += count
        }
    }

    private func fault(_ file: String) -> StoreError {
        errno == ENOSPC ? .full : .failed("\(file): \(String(cString: strerror(errno)))")
    }

    /// The main file first: a log without it is of no use to anybody, and a file without its log is refused.
    private func remove() { for suffix in ["", "-wal", "-journal"] { unlink(path + suffix) } }
}
