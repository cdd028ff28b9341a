/// A replica of a service somewhere in a group.
package struct GroupMember: Hashable, Sendable {
    package let host: String
    package let replica: Int

    package init(host: String, replica: Int) {
        self.host = host
        self.replica = replica
    }
}
