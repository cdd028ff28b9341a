/// What a watcher sees of a replica.
package struct MemberSign: Hashable, Sendable {
    package let member: GroupMember
    /// Rises while the replica lives.
    package let counter: Int64

    package init(_ member: GroupMember, counter: Int64) {
        self.member = member
        self.counter = counter
    }
}
