package import Contracts
package import Database

/// What Delivery needs of a service to run its partitions.
package protocol PartitionedService: Sendable {
    /// The service's name; it is the first part of every address.
    static var name: ServiceName { get }

    /// Where this service's links lead; a link that is not named here cannot be sent on.
    static var links: [ServiceName: LinkKind] { get }

    /// The service's own tables.
    static var schema: Schema { get }

    /// Names the handler of every message that the service receives.
    func register(in table: inout HandlerTable)

    /// Work outside the transaction, such as webhooks; none for most services.
    var worker: (any OutsideWorker)? { get }

    /// Whether large requests are to be read ahead.
    static var readsAhead: Bool { get }

    /// Looks at the bytes of a large request before the partition's thread does, on any thread, and keeps what is costly
    /// to find out as a note in memory. Nothing may depend on it: a request may be handled without having been read.
    func readAhead(_ request: [UInt8])

    /// Everything the store knows about these ids, and the ids they lead to.
    ///
    /// - Throws: `StoreError`.
    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace

    /// Figures of the moment, by their Prometheus names.
    ///
    /// - Throws: `StoreError`.
    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double]

    /// Sends the next current states again as new events to a partition, after a store was restored.
    ///
    /// One page is one transaction; `key` is the `next` of the page before it, empty for the first one.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: inout HandlerContext
    ) throws -> RedrivePage
}

/// A piece of a redrive: few enough rows that the partition answers its heartbeat between two of them.
package struct RedrivePage: Equatable, Sendable {
    /// Nothing is sent again on this link.
    package static let none = RedrivePage(rows: 0, next: [])

    /// Rows that were read, those that do not concern the target included.
    package let rows: Int
    /// The key of the last row, column by column; empty when no row follows.
    package let next: [String]

    package init(rows: Int, next: [String]) {
        self.rows = rows
        self.next = next
    }

    /// The page that these keys of `limit` rows at most make.
    package init(_ keys: [[String]], limit: Int) {
        self.init(rows: keys.count, next: keys.count < limit ? [] : keys.last ?? [])
    }
}

extension PartitionedService {
    package var worker: (any OutsideWorker)? { nil }
    /// Most services take small requests only.
    package static var readsAhead: Bool { false }
    /// Notes nothing.
    package func readAhead(_ request: [UInt8]) {}
}

/// The kinds of link of the design: forward ones may be braked, answers close cycles and never are.
package enum LinkKind: String, Sendable, Codable {
    case forward, answer
}

/// Work with the outside world: committed first, then done, then its result is committed.
///
/// An owner that takes a partition over finds the items that its predecessor left and does them again, so what is
/// done must bear repetition.
package protocol OutsideWorker: Sendable {
    /// Most items in hand at a time per partition.
    var concurrency: Int { get }

    /// Items of a partition that are due, oldest first, without those in hand; and when the next one will be.
    ///
    /// - Throws: `StoreError`.
    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?)

    /// Does one item, outside any transaction; what happened is the result, errors included.
    @concurrent func perform(_ item: WorkItem) async -> [UInt8]

    /// Writes the result of an item and removes it.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func finish(_ item: WorkItem, result: [UInt8], in context: inout HandlerContext) throws
}

/// One piece of outside work.
package struct WorkItem: Equatable, Sendable {
    /// Names the item within its partition.
    package let key: String
    package let payload: [UInt8]

    package init(key: String, payload: [UInt8]) {
        self.key = key
        self.payload = payload
    }
}
