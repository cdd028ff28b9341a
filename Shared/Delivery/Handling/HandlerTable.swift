package import Contracts
import Domain
import Foundation

/// Which handler takes which message; filled once, when a service starts.
package struct HandlerTable {
    typealias Decode = (KeyedDecodingContainer<EventKeys>) throws -> any DecodedMessage
    var decoders: [String: Decode] = [:]
    private(set) var requestTypes: Set<String> = []

    package init() {}

    /// The types that have a handler.
    package var types: Set<EventType> { Set(decoders.keys.map(EventType.init(rawValue:))) }

    /// Gives events of one contract to a handler.
    package mutating func on<Body: Contract>(
        _ body: Body.Type,
        _ handle: @escaping (Event<Body>, inout HandlerContext) throws -> Outcome
    ) {
        decoders[Body.type.rawValue] = { container in
            DecodedEvent(event: try Event<Body>(from: container), handle: handle)
        }
    }

    /// Gives requests of one contract to a handler.
    package mutating func on<Body: Request>(
        request: Body.Type,
        _ handle: @escaping (Event<Body>, inout HandlerContext) throws -> RequestOutcome<Body.Reply>
    ) {
        requestTypes.insert(Body.type.rawValue)
        decoders[Body.type.rawValue] = { container in
            DecodedRequest(event: try Event<Body>(from: container), handle: handle)
        }
    }

    func isRequest(_ type: String) -> Bool { requestTypes.contains(type) }

    /// The types of all requests, those first that look most like a mistyped one.
    func requests(nearestTo type: String) -> [String] {
        requestTypes.map { (distance: $0.editDistance(to: type), type: $0) }
            .sorted { ($0.distance, $0.type) < ($1.distance, $1.type) }.map(\.type)
    }
}

/// A message whose bytes were understood, together with its handler.
protocol DecodedMessage {
    var id: EventID { get }
    var subject: String { get }
    var traceparent: String? { get }
    /// The shard that owns it, as far as its data tells.
    var shard: Shard? { get }
    func run(_ context: inout HandlerContext, _ encoder: EventEncoder) throws -> HandledMessage
}

/// What a handler made of a message, with replies in bytes.
enum HandledMessage: Equatable {
    case applied
    case parked(String)
    case reply([UInt8])
    case refused(RequestRefusal)
    case wait(on: String, until: Timestamp, otherwise: [UInt8])
}

private struct DecodedEvent<Body: Contract>: DecodedMessage {
    let event: Event<Body>
    let handle: (Event<Body>, inout HandlerContext) throws -> Outcome
    var id: EventID { event.id }
    var subject: String { event.subject }
    var traceparent: String? { event.traceparent }
    var shard: Shard? { (event.data as? any Routed)?.partitionKey?.shard }

    func run(_ context: inout HandlerContext, _ encoder: EventEncoder) throws -> HandledMessage {
        switch try handle(event, &context) {
        case .applied: .applied
        case .parked(let reason): .parked(reason)
        }
    }
}

private struct DecodedRequest<Body: Request>: DecodedMessage {
    let event: Event<Body>
    let handle: (Event<Body>, inout HandlerContext) throws -> RequestOutcome<Body.Reply>
    var id: EventID { event.id }
    var subject: String { event.subject }
    var traceparent: String? { event.traceparent }
    var shard: Shard? { (event.data as? any Routed)?.partitionKey?.shard }

    func run(_ context: inout HandlerContext, _ encoder: EventEncoder) throws -> HandledMessage {
        switch try handle(event, &context) {
        case .reply(let reply): .reply(try encoder.encode(reply))
        case .refused(let refusal): .refused(refusal)
        case .wait(let key, let until, let otherwise):
            .wait(on: key, until: until, otherwise: try encoder.encode(otherwise))
        }
    }
}
