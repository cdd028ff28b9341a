package import Contracts
package import Database

/// What Delivery requires of a service to run its partitions.
package protocol PartitionedService: Sendable {
    /// The first part of every address.
    static var name: ServiceName { get }

    static var schema: Schema { get }

    /// What its handlers count, by the names between `counterfoil_partition_` and `_total` in `/metrics`.
    static var counters: [String] { get }

    /// Names the handler of every message that the service takes.
    func register(in table: inout HandlerTable)

    /// Work by rows of the store that is done inside transactions; what comes first in the list is asked first.
    var timers: [any DurableTimer] { get }

    /// Work outside the transaction, such as webhooks; nil for most services.
    var worker: (any OutsideWorker)? { get }

    /// Whether large requests are read ahead.
    static var readsAhead: Bool { get }

    /// Precomputes costly results of a large request on any thread, as a note in memory. Nothing may depend on it: a
    /// request may be handled without it.
    func readAhead(_ request: [UInt8])

    /// Everything the store knows about these ids and the ids they lead to.
    ///
    /// - Throws: `StoreError`.
    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace

    /// Current values by their Prometheus names.
    ///
    /// - Throws: `StoreError`.
    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double]

    /// Sends the next page of current states again as new events, after a store was restored.
    ///
    /// One page is one transaction; `key` is the `next` of the page before it, empty for the first one.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage
}

/// A part of a redrive, small enough that heartbeats are answered in time.
package struct RedrivePage: Equatable, Sendable {
    package static let none = RedrivePage(rows: 0, next: [])

    /// Rows read, including those that do not concern the target.
    package let rows: Int
    /// The key of the last row, column by column; empty when no row follows.
    package let next: [String]

    package init(rows: Int, next: [String]) {
        self.rows = rows
        self.next = next
    }

    /// The page of these keys, of `limit` rows at most.
    package init(_ keys: [[String]], limit: Int) {
        self.init(rows: keys.count, next: keys.count < limit ? [] : keys.last ?? [])
    }
}

extension PartitionedService {
    /// Most services count nothing.
    package static var counters: [String] { [] }
    /// Many services have no timers.
    package var timers: [any DurableTimer] { [] }
    package var worker: (any OutsideWorker)? { nil }
    /// Most services take small requests only.
    package static var readsAhead: Bool { false }
    /// Notes nothing.
    package func readAhead(_ request: [UInt8]) {}
}

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

/// One piece of outside work, or one turn of a timer.
package struct WorkItem: Equatable, Sendable {
    package let key: String
    package let payload: [UInt8]
    /// The place of the turn's timer among those of the service; nil for outside work.
    package let timer: Int?

    package init(key: String, payload: [UInt8] = [], timer: Int? = nil) {
        self.key = key
        self.payload = payload
        self.timer = timer
    }
}
