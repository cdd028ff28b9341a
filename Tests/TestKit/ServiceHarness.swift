package import Contracts
package import Database
package import Delivery
import Foundation

/// Partitions of one service, each with a store in memory: runs handlers in real transactions and shows what they did.
package final class ServiceHarness<Service: PartitionedService> {
    package let partitions: Int
    /// The time at which messages are handled.
    package var now: Timestamp
    /// When the owners took their stores.
    package var ownedSince = Timestamp(milliseconds: 0)
    /// The receivers whose links have shown that nothing is missing here.
    package var confirmed: Set<PartitionAddress> = []
    /// The service, where a test asks it for more than a handler.
    package var service: Service?
    /// The stores, or why they could not be opened, of which every use of one tells.
    private let stores: Result<[SQLiteDatabase], any Error>
    private let identifiers: IdentifierSource

    // What the last message led to.
    package private(set) var sent: [OutgoingEvent] = []
    package private(set) var woken: Set<String> = []
    package private(set) var alarms: [String] = []
    package private(set) var workAt: Timestamp?
    package private(set) var counts: [String: Int] = [:]
    /// What the service keeps from one message to the next.
    private var kept: (any Sendable)?
    /// What was recorded for `trace`, beside the service's own rows.
    package private(set) var traceEntries: [RecordedTraceEntry] = []

    /// Partitions of `partitions` that each service has: the first ones, `stores` of them.
    package init(
        _ service: Service? = nil,
        stores count: Int = 1,
        partitions: Int = 4,
        seed: UInt64 = 1,
        now: Timestamp = Timestamp(milliseconds: 1_760_000_000_000)
    ) {
        self.service = service
        self.partitions = partitions
        self.now = now
        identifiers = IdentifierSource(seed: seed)
        stores = Result {
            try (0..<count).map { _ -> SQLiteDatabase in
                let store = try SQLiteDatabase(path: ":memory:")
                try store.write {
                    try DeliverySchema.schema.migrate($0)
                    try Service.schema.migrate($0)
                }
                return store
            }
        }
    }

    /// The store of the first partition.
    package var database: SQLiteDatabase { get throws { try store(0) } }

    /// The store of a partition.
    package func store(_ partition: Int) throws -> SQLiteDatabase { try stores.get()[partition] }

    /// A message of this content, as it comes in now.
    package func event<Body: Contract>(
        _ data: Body,
        id: EventID? = nil,
        cause: EventID? = EventID(unchecked: "cause")
    ) -> Event<Body> {
        Event(
            id: id ?? identifiers.eventID(),
            source: "/test",
            time: now,
            subject: "test",
            causationID: cause,
            data: data
        )
    }

    /// Hands one message to a handler in one transaction.
    @discardableResult
    package func handle<Body: Contract, Answer>(
        _ data: Body,
        id: EventID? = nil,
        partition: Int = 0,
        _ handler: (Event<Body>, HandlerContext) throws -> Answer
    ) throws -> Answer {
        let event = event(data, id: id)
        return try transact(partition, cause: event.id) { try handler(event, $0) }
    }

    /// The same with a request, which a `RequestRefusal` that its handler throws refuses.
    package func handle<Body: RequestContract>(
        _ data: Body,
        id: EventID? = nil,
        partition: Int = 0,
        _ handler: (Event<Body>, HandlerContext) throws -> RequestOutcome<Body.Reply>
    ) throws -> RequestOutcome<Body.Reply> {
        let event = event(data, id: id)
        return try transact(partition, cause: event.id) { context in
            try RequestOutcome<Body.Reply> { try handler(event, context) }
        }
    }

    /// Runs `body` in one transaction of a partition.
    package func transact<Value>(
        _ partition: Int = 0,
        cause: EventID? = nil,
        _ body: (HandlerContext) throws -> Value
    ) throws -> Value {
        sent = []
        return try store(partition).write { connection in
            let context = HandlerContext(
                connection: connection,
                address: PartitionAddress(Service.name, partition),
                partitions: partitions,
                now: now,
                ownedSince: ownedSince,
                confirmed: confirmed,
                cause: cause,
                identifiers: identifiers
            )
            context.kept = kept
            let value = try body(context)
            (counts, kept) = (context.counts, context.kept)
            (sent, woken, alarms) = (context.sent, context.woken, context.alarms.map(\.text))
            (workAt, traceEntries) = (context.workAt, context.traceEntries)
            return value
        }
    }

    /// What was recorded for `trace`, as `subject: id of the message`.
    package var recorded: [String] { traceEntries.map { "\($0.subject): \($0.entry.id)" } }

    /// The only event of a contract that the last message led to.
    ///
    /// - Throws: `HarnessFault` when there is none, or more.
    package func only<Body: Contract>(_ type: Body.Type) throws -> Body {
        let bodies = try sent.bodies(type)
        guard bodies.count == 1 else { throw HarnessFault("\(Body.type) was sent \(bodies.count) times") }
        return bodies[0]
    }

    /// What a query finds in the store of a partition.
    package func rows(_ sql: String, partition: Int = 0) throws -> [Row] {
        try store(partition).write { try $0.rows(sql, []) }
    }

    /// Changes rows of the first partition.
    package func execute(_ sql: SQL) throws { _ = try database.write { try $0.execute(sql) } }

    // MARK: The service

    /// What the service's rows say about these ids.
    package func trace(_ identifiers: String...) throws -> Trace {
        let service = try knownService()
        return try database.write { try service.trace(Set(identifiers), in: $0) }
    }

    /// The service's figures, by their names without `counterfoil_`.
    package func gauge(_ name: String) throws -> Double? {
        let service = try knownService()
        return try database.write { try service.gauges(in: $0, now: now) }["counterfoil_\(name)"]
    }

    /// Sends the current states again; `sent` has what the target gets.
    @discardableResult
    package func redrive(to target: PartitionAddress, after key: [String] = []) throws -> RedrivePage {
        let service = try knownService()
        return try transact { try service.redrive(to: target, after: key, in: $0) }
    }

    /// Everything that is sent again to the partitions of a service.
    package func redriven(to target: ServiceName) throws -> [OutgoingEvent] {
        var all: [OutgoingEvent] = []
        for partition in 0..<partitions {
            var key: [String] = []
            repeat {
                key = try redrive(to: PartitionAddress(target, partition), after: key).next
                all += sent
            } while !key.isEmpty
        }
        return all
    }

    /// What the service's timers and its worker find due in a partition now, beside the items in hand.
    ///
    /// `limit` holds for the worker and for each timer; without it the worker does as much as it can at a time. Those
    /// in hand are under way, unless `underWay` says which of them are; the others are set aside.
    package func due(
        _ partition: Int = 0,
        limit: Int? = nil,
        underWay: Set<String>? = nil,
        excluding inHand: Set<String> = []
    ) throws -> DueWork {
        let service = try knownService()
        let address = PartitionAddress(Service.name, partition)
        return try store(partition).write { connection in
            var items: [WorkItem] = []
            var next: [Timestamp?] = []
            for (number, timer) in service.timers.enumerated() {
                let due = try timer.due(
                    connection,
                    now: now,
                    limit: limit ?? PartitionEngine.turnsAtOnce,
                    excluding: inHand
                )
                items += due.keys.map { WorkItem(key: $0, timer: number) }
                next.append(due.next)
            }
            if let worker = service.worker {
                let due = try worker.due(
                    connection,
                    of: address,
                    now: now,
                    limit: limit ?? worker.concurrency,
                    underWay: underWay ?? inHand,
                    excluding: inHand
                )
                items += due.items
                next.append(due.next)
            }
            return DueWork(items: items, next: next.compactMap(\.self).min())
        }
    }

    private func knownService() throws -> Service {
        guard let service else { throw HarnessFault("the harness was made without its service") }
        return service
    }
}

/// The work that is due, and when more will be.
package struct DueWork: Equatable {
    package let items: [WorkItem]
    package let next: Timestamp?

    package init(items: [WorkItem], next: Timestamp?) {
        self.items = items
        self.next = next
    }
}

/// A service's own harness, which can do what the general one in it can.
@dynamicMemberLookup
package protocol HarnessWrapper: AnyObject {
    associatedtype Service: PartitionedService
    var harness: ServiceHarness<Service> { get }
}

extension HarnessWrapper {
    package subscript<Value>(dynamicMember path: KeyPath<ServiceHarness<Service>, Value>) -> Value {
        harness[keyPath: path]
    }

    package subscript<Value>(
        dynamicMember path: ReferenceWritableKeyPath<ServiceHarness<Service>, Value>
    ) -> Value {
        get { harness[keyPath: path] }
        set { harness[keyPath: path] = newValue }
    }

    /// What a query finds in the store of the first partition.
    package func rows(_ sql: String) throws -> [Row] { try harness.rows(sql) }

    /// What the service's rows say about these ids.
    package func trace(_ identifier: String) throws -> Trace { try harness.trace(identifier) }

    /// The service's figures, by their names without `counterfoil_`.
    package func gauge(_ name: String) throws -> Double? { try harness.gauge(name) }
}

extension OutgoingEvent {
    /// The event again, as its receiver decodes it.
    package func decoded<Body: Contract>(_ type: Body.Type = Body.self) throws -> Event<Body> {
        try JSONDecoder().decode(Envelope<Body>.self, from: Data(bytes)).event
    }

    private struct Envelope<Body: Contract>: Decodable {
        let event: Event<Body>
        init(from decoder: any Decoder) throws {
            event = try Event(from: decoder.container(keyedBy: EventKeys.self))
        }
    }
}

extension [OutgoingEvent] {
    /// The bodies of the events of one contract, in order.
    package func bodies<Body: Contract>(_ type: Body.Type) throws -> [Body] {
        try filter { $0.type == Body.type }.map { try $0.decoded(type).data }
    }
}

extension RequestOutcome {
    package var reply: Reply? { if case .reply(let reply) = self { reply } else { nil } }
    package var refusal: RequestRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
