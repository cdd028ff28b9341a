import Contracts
import Foundation

/// Turns the bytes of an event into a message with its handler, in one pass over the JSON.
struct MessageDecoder {
    private let table: HandlerTable
    private let decoder = JSONDecoder()
    /// Nil for a store that serves all partitions.
    private let owner: PartitionIdentity?

    init(_ table: HandlerTable, owner: PartitionIdentity? = nil) {
        self.table = table
        self.owner = owner
        decoder.userInfo[.handlers] = HandlerBox(decoders: table.decoders)
    }

    enum Decoded {
        case message(any DecodedMessage, type: String)
        /// A well-formed event whose type has no handler here.
        case unknown(EventHead)
        case malformed(EventHead?, String)
        /// Another partition owns the key: an effect here would be invisible there.
        case foreign(EventHead, String)
    }

    struct EventHead: Decodable {
        var id: String?
        var type: String?
        var subject: String?
    }

    func decode(_ bytes: [UInt8]) -> Decoded {
        let data = Data(bytes)
        do {
            let envelope = try decoder.decode(Envelope.self, from: data)
            if let message = envelope.message { return found(message, type: envelope.type) }
            return .unknown(envelope.head ?? EventHead(type: envelope.type))
        } catch {
            return .malformed(head(of: data), Self.describe(error))
        }
    }

    private func found(_ message: any DecodedMessage, type: String) -> Decoded {
        guard let owner, let shard = message.shard else { return .message(message, type: type) }
        let partition = shard.partition(of: owner.partitions)
        guard partition != owner.address.partition else { return .message(message, type: type) }
        let home = PartitionAddress(owner.address.service, partition)
        return .foreign(
            EventHead(id: message.id.rawValue, type: type, subject: message.subject),
            "belongs to \(home), not to \(owner); does the sender count \(owner.partitions) partitions?"
        )
    }

    func eventID(of bytes: [UInt8]) -> String? { head(of: Data(bytes))?.id }

    private func head(of data: Data) -> EventHead? {
        do { return try decoder.decode(EventHead.self, from: data) } catch { return nil }
    }

    private static func describe(_ error: any Error) -> String {
        guard let fault = error as? DecodingError else { return "not an event" }
        switch fault {
        case .keyNotFound(let key, let context):
            return "\(path(context, key)) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(path(context)) must be \(name(of: type))"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : "\(path(context)): \(context.debugDescription)"
        @unknown default:
            return "not an event"
        }
    }

    /// The expected JSON type.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        (context.codingPath + (key.map { [$0] } ?? [])).steps.text
    }
}

extension MessageDecoder.Decoded {
    var eventID: EventID? {
        switch self {
        case .message(let message, _): message.id
        case .unknown(let head): head.id.map(EventID.init(unchecked:))
        case .malformed(let head, _): head?.id.map(EventID.init(unchecked:))
        case .foreign(let head, _): head.id.map(EventID.init(unchecked:))
        }
    }
}

extension CodingUserInfoKey {
    fileprivate static let handlers =
        CodingUserInfoKey(rawValue: "handlers") ?? { preconditionFailure("a valid key") }()
}

/// The decoders by type, in the form in which a `JSONDecoder` carries them.
private final class HandlerBox: @unchecked Sendable {  // immutable; used from the partition's one thread
    let decoders: [String: HandlerTable.Decode]

    init(decoders: [String: HandlerTable.Decode]) { self.decoders = decoders }
}

private struct Envelope: Decodable {
    let type: String
    let message: (any DecodedMessage)?
    /// Only of a message without a handler.
    let head: MessageDecoder.EventHead?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EventKeys.self)
        type = try container.decode(String.self, forKey: .type)
        let box = decoder.userInfo[.handlers] as? HandlerBox
        message = try box?.decoders[type].map { try $0(container) }
        head = message == nil ? try MessageDecoder.EventHead(from: decoder) : nil
    }
}
