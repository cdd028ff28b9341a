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
