/// One entry of a partition's commit log.
///
/// The log is the partition's truth, and its store a copy: applied in the order of their positions, the entries make
/// the store on any host.
package struct LogEntry: Hashable, Sendable {
    /// Of all that an entry holds: it has to reach the log while its owner is still believed to live.
    package static let maximumBytes = 64 << 20

    /// Dense, from 1.
    package let position: Int64
    /// That of the claim that it follows, or that it is; above 0.
    package let epoch: Int64
    /// That of the entry in front of it: another one in front of a claim alone.
    package let formerEpoch: Int64
    package let kind: LogEntryKind
    /// Of a claim who claims; of the others `RowChanges`, which no log reads.
    package let bytes: [UInt8]

    /// An entry that stays in an epoch, unless `formerEpoch` says otherwise.
    package init(
        position: Int64,
        epoch: Int64,
        formerEpoch: Int64? = nil,
        kind: LogEntryKind,
        bytes: [UInt8]
    ) {
        self.position = position
        self.epoch = epoch
        self.formerEpoch = formerEpoch ?? epoch
        self.kind = kind
        self.bytes = bytes
    }

    /// The entry by which an owner takes a partition, after `head`.
    ///
    /// `claimant` is another one in every attempt of every process. It makes the epoch, so that two claims behind one
    /// entry begin different epochs, also where a log has lost the first of them: an epoch has one owner, and an epoch
    /// with a position names one entry.
    package init(claimAfter head: LogHead, claimant: [UInt8]) {
        self.init(
            position: head.position + 1,
            epoch: head.epoch + Self.step(of: claimant),
            formerEpoch: head.epoch,
            kind: .claim,
            bytes: claimant
        )
    }

    /// From 1 to 2³², so that 2³¹ claims have room: FNV-1a, folded.
    private static func step(of claimant: [UInt8]) -> Int64 {
        var digest = SnapshotDigest()
        digest.add(claimant)
        let bits = UInt64(bitPattern: digest.value)
        return Int64((bits ^ (bits >> 32)) & 0xFFFF_FFFF) + 1
    }

    /// The place of this entry, once it is the last one.
    package var head: LogHead { LogHead(position: position, epoch: epoch) }

    /// Whether the entry may stand directly behind `head`: a claim begins a higher epoch, others stay in theirs.
    package func follows(_ head: LogHead) -> Bool {
        guard position == head.position + 1, formerEpoch == head.epoch else { return false }
        return kind == .claim ? epoch > head.epoch : epoch == head.epoch && epoch > 0
    }
}
