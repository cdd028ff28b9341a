/// A replica of a program somewhere in a group.
package struct GroupMember: Hashable, Sendable {
    /// A service, or `gateway`, which owns nothing.
    package let program: String
    package let host: String
    package let replica: Int

    package init(_ program: String, host: String, replica: Int) {
        self.program = program
        self.host = host
        self.replica = replica
    }
}
