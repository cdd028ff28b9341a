/// A replica's place among the others; it ends with the process, if not before.
package protocol Membership: AnyObject, Sendable {
    /// Whether the others see this replica; a place that was lost is taken again if it is free.
    func renew() throws -> Bool

    func release()
}
