package import Contracts

/// A replica of a service somewhere in a group.
package struct GroupMember: Hashable, Sendable {
    package let service: ServiceName
    package let host: String
    package let replica: Int

    package init(_ service: ServiceName, host: String, replica: Int) {
        self.service = service
        self.host = host
        self.replica = replica
    }
}
