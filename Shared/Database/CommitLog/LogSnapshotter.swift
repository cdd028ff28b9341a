import Glibc

/// The snapshots that a partition's owner puts into the log: something of one between two batches.
///
/// | it is | a turn | then |
/// |---|---|---|
/// | resting | looks at what was appended since the last snapshot | copying, if that is enough |
/// | copying | copies pages of the store beside it | sending, if the copy is whole |
/// | sending | writes one part into the log | keeping after the last one |
/// | keeping | lists the snapshot | pruning, if it is the second one |
/// | pruning | removes something of what is below the older of two | resting, if nothing is left |
///
/// If the owner dies, what is half-done is nobody's: parts that no snapshot has kept are pruned with the next one. A
/// fault of the log or of the disk ends the attempt and nothing else; the next one begins after as many bytes again.
package final class LogSnapshotter {
    /// When and how much.
    package struct Limits: Sendable {
        /// Entries of so many bytes are kept at least before a snapshot is worth its own.
        package var leastBytes = 64 << 20
        /// How many times the store's size the entries may grow to: a snapshot adds a fourth to what is written.
        package var storeFactor = 4
        /// Pages of 4 KiB that a turn copies.
        package var pages = 512
        /// Of each part but the last, in bytes.
        package var partBytes = 1 << 20

        package init() {}
    }

    private enum Phase {
        case resting
        case copying(StoreCopier)
        case sending(SnapshotUpload)
        case keeping(LogSnapshot)
        case pruning(below: Int64)
    }

    private let file: String
    private let log: any CommitLog
    private let limits: Limits
    private var phase = Phase.resting
    /// Bytes of entries when the last attempt began.
    private var begunAt: Int64 = 0

    /// Snapshots of the store at `path`; the copy lies beside it while it is sent.
    package init(of path: String, log: any CommitLog, limits: Limits = Limits()) {
        file = path + ".snapshot"
        self.log = log
        self.limits = limits
    }

    deinit { giveUp() }

    /// Whether something is half-done, so that another turn need not wait for a batch.
    package var isBusy: Bool { if case .resting = phase { false } else { true } }

    /// Does the next piece, outside of a transaction.
    ///
    /// - Returns: why an attempt has ended without a snapshot, for the log of the program.
    package func turn(_ database: ReplicatedDatabase) -> String? {
        do {
            phase = try next(database)
            return nil
        } catch {
            giveUp()
            return "\(error)"
        }
    }

    private func next(_ database: ReplicatedDatabase) throws -> Phase {
        switch phase {
        case .resting:
            let most = max(Int64(limits.leastBytes), Int64(limits.storeFactor) * size(of: database.path))
            guard database.appendedBytes - begunAt >= most else { return .resting }
            begunAt = database.appendedBytes
            remove()
            return .copying(try database.copier(to: file))
        case .copying(let copier):
            guard try copier.step(pages: limits.pages) else { return phase }
            // The copy is the store as it is now: nothing was written since its last step.
            return .sending(try SnapshotUpload(of: file, at: database.head))
        case .sending(var upload):
            try upload.send(to: log, partBytes: limits.partBytes)
            guard upload.isWhole else { return .sending(upload) }
            upload.close()
            remove()
            return .keeping(upload.snapshot)
        case .keeping(let snapshot):
            try log.keep(snapshot)
            let kept = try log.snapshots()
            return kept.count > 1 ? .pruning(below: kept[1].head.position) : .resting
        case .pruning(let position):
            return try log.pruneSome(below: position) ? phase : .resting
        }
    }

    /// Lets go of what is half-done; before the store is closed.
    package func giveUp() {
        switch phase {
        case .resting, .keeping, .pruning: break
        case .copying: remove()
        case .sending(let upload):
            upload.close()
            remove()
        }
        phase = .resting
    }

    private func remove() { for suffix in ["", "-wal", "-journal"] { unlink(file + suffix) } }

    private func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
