package import Contracts
import Domain

/// The handlers by message type; filled once, when a service starts.
package struct HandlerTable {
    typealias Decode = (KeyedDecodingContainer<EventKeys>) throws -> any DecodedMessage
    typealias Read = (EventEnvelope, inout JSONReader) -> (any DecodedMessage)?
    private(set) var decoders: [String: Decode] = [:]
    /// The same for events that are read directly.
    private(set) var readers: [String: Read] = [:]
    private(set) var requestTypes: Set<String> = []
    /// Requests about the partition itself; they are answered even when it is overloaded.
    private(set) var operatorTypes: Set<String> = []

    /// What a service does before each batch; nothing that the batch may roll back.
    private(set) var beforeBatch: (ClockReading) -> Void = { _ in }

    package init() {}

    /// Has the service take up what changes outside its store, such as a new catalog: one batch sees one state of it.
    package mutating func beforeEachBatch(_ prepare: @escaping (ClockReading) -> Void) {
        beforeBatch = prepare
    }

    /// Registers a handler for events of one contract.
    package mutating func on<Body: Contract>(
        _ body: Body.Type,
        _ handle: @escaping (Event<Body>, HandlerContext) throws -> Outcome
    ) {
        add(body) { event, batch in
            switch try handle(event, batch.context) {
            case .applied: .applied
            case .deadLettered(let reason): .deadLettered(reason)
            }
        }
    }

    /// Registers a handler for requests of one contract; a `RequestRefusal` that it throws refuses the request.
    package mutating func on<Body: RequestContract>(
        request: Body.Type,
        _ handle: @escaping (Event<Body>, HandlerContext) throws -> RequestOutcome<Body.Reply>
    ) {
        requestTypes.insert(Body.type.rawValue)
        add(request) { event, batch in
            let outcome = try RequestOutcome<Body.Reply> { try handle(event, batch.context) }
            return try HandledMessage(outcome, batch.engine.encoder)
        }
    }

    /// Has the batch itself answer requests of one contract; a `RequestRefusal` that it throws refuses the request.
    mutating func on<Body: RequestContract>(
        operator request: Body.Type,
        _ answer: @escaping (Event<Body>, Batch) throws -> Body.Reply
    ) {
        requestTypes.insert(Body.type.rawValue)
        operatorTypes.insert(Body.type.rawValue)
        add(request) { event, batch in
            let outcome = try RequestOutcome<Body.Reply> { .reply(try answer(event, batch)) }
            return try HandledMessage(outcome, batch.engine.encoder)
        }
    }

    private mutating func add<Body: Contract>(
        _ body: Body.Type,
        _ handle: @escaping (Event<Body>, Batch) throws -> HandledMessage
    ) {
        let shard = Self.shard(of: body)
        decoders[Body.type.rawValue] = { container in
            DecodedBody(event: try Event<Body>(from: container), shardOf: shard, handle: handle)
        }
        readers[Body.type.rawValue] = { envelope, json in
            Event<Body>(envelope, from: &json).map { DecodedBody(event: $0, shardOf: shard, handle: handle) }
        }
    }

    /// What tells the shard of a routed body; found once, so that no message needs a cast.
    private static func shard<Body: Contract>(of body: Body.Type) -> ((Body) -> Shard?)? {
        func shard<R: Routed>(of _: R.Type) -> Any { { $0.route.key?.shard } as (R) -> Shard? }
        return (body as? any Routed.Type).flatMap { shard(of: $0) as? (Body) -> Shard? }
    }

    /// All request types, those most similar to a mistyped one first.
    func requests(nearestTo type: String) -> [String] {
        requestTypes.map { (distance: $0.editDistance(to: type), type: $0) }
            .sorted { ($0.distance, $0.type) < ($1.distance, $1.type) }.map(\.type)
    }
}

private struct DecodedBody<Body: Contract>: DecodedMessage {
    let event: Event<Body>
    /// Nil for a body without a route.
    let shardOf: ((Body) -> Shard?)?
    let handle: (Event<Body>, Batch) throws -> HandledMessage
    var id: EventID { event.id }
    var type: String { Body.type.rawValue }
    var subject: String { event.subject }
    var traceparent: String? { event.traceparent }
    var shard: Shard? { shardOf?(event.data) }

    func run(in batch: Batch) throws -> HandledMessage { try handle(event, batch) }
}
