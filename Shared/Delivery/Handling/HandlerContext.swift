package import Contracts
package import Database
package import Domain
import Foundation

/// The one transaction around everything that a batch of messages changes, as the handler of one message sees it.
///
/// What is sent here becomes a row of the outbox in the same transaction; replies, wake-ups and work follow COMMIT.
package struct HandlerContext {
    /// The largest event that may be sent, in bytes.
    package static let maximumEventBytes = 64 << 10

    package let connection: any Connection
    /// The time at which the batch began.
    package let now: Timestamp
    /// When the partition's owner took its store: what an older copy of it has lost happened before.
    package let ownedSince: Timestamp
    /// The receivers that have shown that they took nothing from here which this store does not know.
    private let confirmed: Set<PartitionAddress>
    /// The partition in whose store this happens.
    package let address: PartitionAddress
    /// How many partitions each service has.
    package let partitions: Int
    /// The id of the message being handled; sent events name it as their cause.
    package internal(set) var cause: EventID?
    package internal(set) var traceparent: String?
    let identifiers: IdentifierSource
    private let encoder: EventEncoder

    // What follows from the message, for the batch and for tests of handlers.

    package internal(set) var sent: [OutgoingEvent] = []
    package internal(set) var traceEntries: [RecordedTraceEntry] = []
    package internal(set) var woken: Set<String> = []
    package internal(set) var alarms: [String] = []
    package internal(set) var workAt: Timestamp?

    /// A context over an open transaction; a test of a handler leaves out what it does not care about.
    package init(
        connection: any Connection,
        address: PartitionAddress,
        partitions: Int = 1,
        now: Timestamp,
        ownedSince: Timestamp = Timestamp(milliseconds: 0),
        confirmed: Set<PartitionAddress> = [],
        cause: EventID? = nil,
        identifiers: IdentifierSource = IdentifierSource(),
        encoder: EventEncoder = EventCoder.encoder()
    ) {
        self.connection = connection
        self.address = address
        self.partitions = partitions
        self.now = now
        self.ownedSince = ownedSince
        self.confirmed = confirmed
        self.cause = cause
        self.identifiers = identifiers
        self.encoder = encoder
    }

    /// The partitions of `service` that may have taken something from here which this store does not know, because an
    /// older copy of it was brought back: those that have not shown the contrary since the owner took it.
    package func unconfirmedPartitions(of service: ServiceName) -> [Int] {
        (0..<partitions).filter { !confirmed.contains(PartitionAddress(service, $0)) }
    }

    /// Sends an event to the partition that owns it, as its type and data say.
    ///
    /// A `subject` of the caller takes the place of the message's own; a `partition` is needed where every one may be
    /// asked. `stamp` is that of an event that may be sent again as it was; without one it is sent now, because of the
    /// message in hand, under a random id.
    ///
    /// - Returns: the id of the event.
    /// - Throws: `SendFault`, or `EncodingError` when the event has no JSON form.
    @discardableResult
    package mutating func send<Body: Routed>(
        _ body: Body,
        subject: String? = nil,
        partition: Int? = nil,
        stamp: EventStamp? = nil
    ) throws -> EventID {
        let chosen = partition.map { PartitionAddress(Body.receiver, $0) }
        guard let owner = chosen ?? owner(of: body) else { throw SendFault.noOwner(Body.type) }
        return try send(body, to: owner, subject: subject ?? body.subject, stamp: stamp)
    }

    /// The partition that owns a message; nil when every one may be asked.
    package func owner(of message: some Routed) -> PartitionAddress? { message.owner(of: partitions) }

    /// Sends an event to this partition.
    ///
    /// - Returns: the id of the event.
    /// - Throws: `SendFault`, or `EncodingError` when the event has no JSON form.
    @discardableResult
    package mutating func send<Body: Contract>(
        _ body: Body,
        to owner: PartitionAddress,
        subject: String,
        stamp: EventStamp? = nil
    ) throws -> EventID {
        let stamp = stamp ?? EventStamp(id: identifiers.eventID(), time: now, cause: cause)
        let event = Event(
            id: stamp.id,
            source: address.description,
            time: stamp.time,
            subject: subject,
            causationID: stamp.cause,
            traceparent: traceparent,
            data: body
        )
        let bytes = try encoder.encode(event)
        guard bytes.count <= Self.maximumEventBytes else {
            throw SendFault.tooLarge(Body.type, bytes: bytes.count)
        }
        sent.append(OutgoingEvent(to: owner, id: event.id, type: Body.type, subject: subject, bytes: bytes))
        return event.id
    }

    /// Records an entry that the service's rows forget, or never show, so that `trace` finds it.
    ///
    /// `subject` is the id under which the service traces it: of an order, a receipt or a purchase.
    package mutating func record(_ entry: Trace.Entry, of subject: String) {
        traceEntries.append(RecordedTraceEntry(subject: subject, entry: entry))
    }

    /// Records the message in hand as an entry that no row shows.
    package mutating func record<Body: Contract>(_ message: Event<Body>, of subject: String) {
        record(Trace.Entry(message, at: now), of: subject)
    }

    /// After COMMIT, asks the handlers again that wait on `key`.
    package mutating func wake(_ key: String) { woken.insert(key) }

    /// After COMMIT, logs what an operator must see; never a receipt, a token or a key.
    package mutating func alarm(_ text: String) { alarms.append(text) }

    /// After COMMIT, looks for outside work that is due, now or at `time`.
    package mutating func scheduleWork(at time: Timestamp) { workAt = min(workAt ?? time, time) }

    /// A new id for an order of `buyer`.
    package func newOrderID(of buyer: BuyerID, in bundle: BundleID) -> OrderID {
        let shard = PartitionKey.buyer(buyer, of: bundle).shard
        return OrderID(time: now, shard: shard, random: identifiers.random())
    }

    /// A random number, such as to spread retries.
    package func newNumber() -> UInt64 { UInt64(newIdentifier().rawValue.prefix(16), radix: 16) ?? 0 }

    /// A new id that nothing else has.
    package func newIdentifier() -> EventID { identifiers.eventID() }
}

/// What an event has of the moment in which it is sent first.
package struct EventStamp: Equatable, Sendable {
    package let id: EventID
    package let time: Timestamp
    package let cause: EventID?

    package init(id: EventID, time: Timestamp, cause: EventID?) {
        self.id = id
        self.time = time
        self.cause = cause
    }
}

/// Why an event cannot be sent; a fault of the handler, not of the store.
package enum SendFault: Error, Equatable {
    case tooLarge(EventType, bytes: Int)
    /// Its data names no partition, and neither did the sender.
    case noOwner(EventType)
}

/// An event on its way into the outbox.
package struct OutgoingEvent: Equatable, Sendable {
    package let to: PartitionAddress
    package let id: EventID
    package let type: EventType
    package let subject: String
    package let bytes: [UInt8]
}

/// An entry of a trace that no row of the service shows, under the id by which the service traces it.
package struct RecordedTraceEntry: Equatable, Sendable {
    package let subject: String
    package let entry: Trace.Entry
}
