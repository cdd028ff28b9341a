/// One entry of a partition's commit log.
///
/// The log is the partition's truth, and its store a copy: applied in the order of their positions, the entries make
/// the store on any host.
package struct LogEntry: Hashable, Sendable {
    /// Dense, from 1.
    package let position: Int64
    /// Whose entry it is: that of the claim that it follows, or that it is. From 1.
    package let epoch: Int64
    package let kind: LogEntryKind
    /// Of a claim who claims; of the others what `StoreChange` reads. Not to be read by a log.
    package let bytes: [UInt8]

    package init(position: Int64, epoch: Int64, kind: LogEntryKind, bytes: [UInt8]) {
        self.position = position
        self.epoch = epoch
        self.kind = kind
        self.bytes = bytes
    }

    /// The entry by which an owner takes a partition, after `head`.
    ///
    /// `claimant` is another one in every attempt of every process: it tells two claims of one epoch apart.
    package init(claimAfter head: LogHead, claimant: [UInt8]) {
        self.init(position: head.position + 1, epoch: head.epoch + 1, kind: .claim, bytes: claimant)
    }

    /// The place of this entry, once it is the last one.
    package var head: LogHead { LogHead(position: position, epoch: epoch) }

    /// Whether the entry may stand directly behind `head`: a claim begins the next epoch, others stay in theirs.
    package func follows(_ head: LogHead) -> Bool {
        position == head.position + 1 && epoch == head.epoch + (kind == .claim ? 1 : 0) && epoch > 0
    }
}

/// What an entry of a commit log is.
package enum LogEntryKind: UInt8, Hashable, Sendable, CaseIterable {
    /// The partition has a new owner.
    case claim = 1
    /// The row changes of one transaction.
    case rows = 2
    /// Statements that change the schema, as text.
    case schema = 3
}

/// The last entry of a log: its position and its epoch, both 0 in an empty log.
package struct LogHead: Hashable, Sendable {
    package static let empty = LogHead(position: 0, epoch: 0)

    package let position: Int64
    package let epoch: Int64

    package init(position: Int64, epoch: Int64) {
        self.position = position
        self.epoch = epoch
    }
}

/// What became of an entry that was appended.
package enum AppendOutcome: Hashable, Sendable {
    /// The entry is in the log for good; also where an earlier attempt had put it there.
    case appended
    /// Another entry is at its position, or the one before is of another epoch: who asked is the owner no more.
    case taken
    /// The log ends before the position in front of the entry: it has lost entries that it had acknowledged.
    case behind(LogHead)
    /// The entry may be in the log or not, also later. Only the same entry again finds out.
    case unknown(String)
}

/// A copy of a store in the log, in parts.
package struct LogSnapshot: Hashable, Sendable {
    /// The last entry that is in the copy.
    package let head: LogHead
    /// How many parts it has, numbered from 0.
    package let parts: Int
    /// Bytes of all parts.
    package let bytes: Int64

    package init(head: LogHead, parts: Int, bytes: Int64) {
        self.head = head
        self.parts = parts
        self.bytes = bytes
    }
}

/// A fault of a commit log outside of `append`.
package enum LogFault: Error, Hashable, Sendable {
    /// No answer, or none that says what was done; the same call may be repeated.
    case unreachable(String)
    /// The entries below `first` are gone: a reader begins with a snapshot.
    case pruned(first: Int64)
    /// What was read is no log of this program: of another version, or damaged.
    case unreadable(String)
    /// The log forbids the call, and will forbid it again.
    case refused(String)
}
