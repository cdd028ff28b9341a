/// A copy of a store in the log, in parts.
package struct LogSnapshot: Hashable, Sendable {
    package let name: SnapshotName
    /// How many parts it has, numbered from 0.
    package let parts: Int
    /// Bytes of all parts.
    package let bytes: Int64
    /// `SnapshotDigest` of all parts, in their order; whoever reads them compares it.
    package let digest: Int64

    package init(name: SnapshotName, parts: Int, bytes: Int64, digest: Int64) {
        self.name = name
        self.parts = parts
        self.bytes = bytes
        self.digest = digest
    }

    /// The last entry that is in the copy.
    package var head: LogHead { name.head }
}

/// What tells the parts of one copy from those of another one at the same entry.
package struct SnapshotName: Hashable, Sendable {
    package let head: LogHead
    /// Another one for each copy: two that are written at once would mix.
    package let id: Int64

    /// A new copy at `head`, unless it is one that has an id already.
    package init(head: LogHead, id: Int64 = .random(in: 1...Int64.max)) {
        self.head = head
        self.id = id
    }
}
