import Contracts

/// A message that is read, with the handler that it is for.
protocol DecodedMessage {
    var id: EventID { get }
    var type: String { get }
    var subject: String { get }
    var traceparent: String? { get }
    var shard: Shard? { get }
    func run(in batch: Batch) throws -> HandledMessage
}

extension DecodedMessage {
    var head: MessageDecoder.EventHead { .init(id: id.rawValue, type: type, subject: subject) }
}
