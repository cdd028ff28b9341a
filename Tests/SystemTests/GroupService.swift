import Contracts
import Database
import Delivery

/// A service as it is, or with handlers in others' places that break a law on purpose.
protocol GroupService: PartitionedService {
    associatedtype Real: PartitionedService

    var real: Real { get }
}

extension GroupService {
    static var name: ServiceName { Real.name }
    static var schema: Schema { Real.schema }
    static var readsAhead: Bool { Real.readsAhead }
    static var counters: [String] { Real.counters }

    var timers: [any DurableTimer] { real.timers }
    var worker: (any OutsideWorker)? { real.worker }

    func readAhead(_ request: [UInt8]) { real.readAhead(request) }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        try real.trace(identifiers, in: connection)
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        try real.gauges(in: connection, now: now)
    }

    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        try real.redrive(to: target, after: key, in: context)
    }
}
