package import Contracts

/// The commit logs of the partitions of a group that has several hosts.
package protocol PartitionLogs: Sendable {
    /// The log of a partition, for the thread that calls.
    ///
    /// `whileWaiting` is called as a call of it begins to wait, and then, as long, several times a second while that
    /// lasts, on that thread.
    func open(
        _ partition: PartitionAddress,
        whileWaiting: @escaping (_ isLong: Bool) -> Void
    ) throws -> any PartitionLog

    /// What is seen of a partition's owner; any thread may ask.
    ///
    /// All who ask share what was read last, if it was asked for at `uptime` or later, by a clock that only moves
    /// forward, in ms.
    ///
    /// - Throws: `LogFault`.
    func read(_ partition: PartitionAddress, notBefore uptime: Int64) throws -> OwnerReading

    /// Says that nobody may claim a partition before an operator has looked; the first reason stays.
    ///
    /// Any thread may say it.
    ///
    /// - Throws: `LogFault`.
    func quarantine(_ partition: PartitionAddress, _ why: String) throws
}
