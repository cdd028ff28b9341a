import Contracts
import Database
import Delivery

/// A service as it is, or with handlers in others' places that break a law on purpose; it reads nothing ahead.
protocol GroupService: PartitionedService {
    associatedtype Real: PartitionedService

    var real: Real { get }
}

extension GroupService {
    static var name: ServiceName { Real.name }
    static var schema: Schema { Real.schema }
    static var counters: [String] { Real.counters }

    var timers: [any DurableTimer] { real.timers }
    var worker: (any OutsideWorker)? { real.worker }

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
