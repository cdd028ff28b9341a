package import Contracts
package import Database

/// Work with the outside world: committed first, then done, then its result is committed.
///
/// A new owner does its predecessor's items again, so the work must be idempotent.
package protocol OutsideWorker: Sendable {
    var concurrency: Int { get }

    /// Items that are due, oldest first, without those to pass over; and when the next one is due.
    ///
    /// Those under way take up places; `excluding` are all to pass over, these and those that are set aside.
    ///
    /// - Throws: `StoreError`.
    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        underWay: Set<String>,
        excluding passedOver: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?)

    /// Does one item, outside any transaction; errors are part of the result.
    @concurrent func perform(_ item: WorkItem) async -> [UInt8]

    /// Writes the result of an item and removes it.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func finish(_ item: WorkItem, result: [UInt8], in context: HandlerContext) throws

    /// Whether an item whose result cannot be written waits for an operator; otherwise it is tried again later.
    func parksFailure(of item: WorkItem) -> Bool
}

extension OutsideWorker {
    /// Most work is tried again.
    package func parksFailure(of item: WorkItem) -> Bool { false }
}
