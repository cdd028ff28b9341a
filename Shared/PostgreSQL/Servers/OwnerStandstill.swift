/// Whether the rows of all owners have stood still for so long that a former primary may be the one that tells them.
///
/// A primary that was cut off and does not know that another one was promoted answers reads for as long as a connection
/// to it stands. Nothing in it changes any more: so all owners seem to be dead, or to be where they were. In a group
/// that runs a counter rises each second.
package struct OwnerStandstill {
    /// Shorter than the silence after which a watcher claims: before that it has asked the primary.
    package static let milliseconds: Int64 = 2_000

    private var seen: [GroupRecords.Owner]?
    private var since: Int64 = 0

    package init() {}

    /// Takes what was read at a time of a clock that only moves forward, in ms.
    ///
    /// - Returns: whether the primary is to be looked for anew before these rows are read again.
    package mutating func note(_ owners: [GroupRecords.Owner], at uptime: Int64) -> Bool {
        guard seen == owners else {
            (seen, since) = (owners, uptime)
            return false
        }
        guard uptime - since >= Self.milliseconds else { return false }
        since = uptime
        return true
    }
}
