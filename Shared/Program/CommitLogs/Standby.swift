/// A server that follows the primary of a commit log.
package struct Standby: Encodable, Equatable, Sendable {
    /// Its `application_name`; empty if the primary does not tell this user.
    package let name: String
    /// `sync`, `quorum`, `potential` or `async`; empty if the primary does not tell this user.
    package let state: String
    /// Bytes of the primary's own log that are not durable there yet; nil if the primary does not tell.
    package let lagBytes: Int64?

    package init(name: String, state: String, lagBytes: Int64?) {
        self.name = name
        self.state = state
        self.lagBytes = lagBytes
    }
}
