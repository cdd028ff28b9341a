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
