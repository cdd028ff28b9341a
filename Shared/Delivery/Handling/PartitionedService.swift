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
