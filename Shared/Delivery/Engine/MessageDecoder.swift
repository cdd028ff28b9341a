import Contracts

/// Turns the bytes of an event into a message with its handler, in one pass over the JSON.
struct MessageDecoder {
    private let table: HandlerTable
    private let decoder: EventDecoder
    /// Nil for a store that serves all partitions.
    private let owner: PartitionIdentity?

    init(_ table: HandlerTable, owner: PartitionIdentity? = nil) {
        self.table = table
        self.owner = owner
        decoder = EventDecoder(userInfo: [.handlers: HandlerBox(decoders: table.decoders)])
    }

    enum Decoded {
        case message(any DecodedMessage)
        /// A well-formed event whose type has no handler here.
        case unknown(EventHead)
        case malformed(EventHead, String)
        /// Another partition owns the key: an effect here would be invisible there.
        case foreign(EventHead, String)
    }

    struct EventHead: Decodable {
        var id: String?
        var type: String?
        var subject: String?
    }

    func decode(_ bytes: [UInt8]) -> Decoded {
        let message = decoder.event(from: bytes) { envelope, json in
            table.readers[envelope.type].flatMap { $0(envelope, &json) }
        }
        if let message { return found(message) }
        do {
            let envelope = try decoder.decode(Envelope.self, from: bytes)
            return envelope.message.map(found) ?? .unknown(envelope.head)
        } catch {
            return .malformed(head(of: bytes), Self.describe(error))
        }
    }

    private func found(_ message: any DecodedMessage) -> Decoded {
        // A single partition owns every key.
        guard let owner, owner.partitions > 1, let shard = message.shard else { return .message(message) }
        let partition = shard.partition(of: owner.partitions)
        guard partition != owner.address.partition else { return .message(message) }
        let home = PartitionAddress(owner.address.service, partition)
        return .foreign(
            message.head,
            "belongs to \(home), not to \(owner); does the sender count \(owner.partitions) partitions?"
        )
    }

    func eventID(of bytes: [UInt8]) -> String? { head(of: bytes).id }

    private func head(of bytes: [UInt8]) -> EventHead {
        do { return try decoder.decode(EventHead.self, from: bytes) } catch { return EventHead() }
    }

    private static func describe(_ error: any Error) -> String {
        guard let fault = error as? DecodingError else { return "not an event" }
        switch fault {
        case .keyNotFound(let key, let context):
            return "\(path(context, key)) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(path(context)) must be \(DecodingError.jsonName(of: type))"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : "\(path(context)): \(context.debugDescription)"
        @unknown default:
            return "not an event"
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        (context.codingPath + (key.map { [$0] } ?? [])).steps.text
    }
}

extension MessageDecoder.Decoded {
    var eventID: EventID? {
        switch self {
        case .message(let message): message.id
        case .unknown(let head), .malformed(let head, _), .foreign(let head, _):
            head.id.map(EventID.init(unchecked:))
        }
    }
}

extension CodingUserInfoKey {
    fileprivate static let handlers =
        CodingUserInfoKey(rawValue: "handlers") ?? { preconditionFailure("a valid key") }()
}

/// The decoders by type, in the form in which a decoder carries them.
private final class HandlerBox: @unchecked Sendable {  // immutable; used from the partition's one thread
    let decoders: [String: HandlerTable.Decode]

    init(decoders: [String: HandlerTable.Decode]) { self.decoders = decoders }
}

private struct Envelope: Decodable {
    let message: (any DecodedMessage)?
    /// Empty if the message has a handler.
    let head: MessageDecoder.EventHead

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EventKeys.self)
        let type = try container.decode(String.self, forKey: .type)
        let box = decoder.userInfo[.handlers] as? HandlerBox
        message = try box?.decoders[type].map { try $0(container) }
        head = message == nil ? try MessageDecoder.EventHead(from: decoder) : .init()
    }
}
