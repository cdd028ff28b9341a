package import Contracts
package import Database
package import Domain

/// The database transaction of a batch, as the handler of one message sees it.
///
/// Sent events become outbox rows in the same transaction, and those to the own partition are handled in it; replies,
/// wake-ups and work follow COMMIT.
package final class HandlerContext {
    package let connection: any Connection
    package let now: Timestamp
    /// When this owner took the store: an older copy lost only what happened before.
    package let ownedSince: Timestamp
    /// Receivers that have shown that this store knows everything they took.
    private let confirmed: Set<PartitionAddress>
    package let address: PartitionAddress
    package let partitions: Int
    /// The id of the message being handled; the cause of sent events.
    package internal(set) var cause: EventID?
    /// The trace of the message being handled, also that of sent events.
    package internal(set) var traceparent: String?
    let identifiers: IdentifierSource
    private let encoder: EventEncoder

    // Results of the message, for the batch and for tests of handlers.

    package internal(set) var sent: [OutgoingEvent] = []
    package internal(set) var traceEntries: [RecordedTraceEntry] = []
    package internal(set) var woken: Set<String> = []
    package internal(set) var alarms: [Alarm] = []
    package internal(set) var workAt: Timestamp?
    package internal(set) var counts: [String: Int] = [:]
    /// What the service keeps for its next messages, until the partition's owner ends; no store has it.
    package var kept: (any Sendable)?

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

    /// The partitions of `service` that have not confirmed, since this owner started, that this store knows everything
    /// they took; it may be an older copy.
    package func unconfirmedPartitions(of service: ServiceName) -> [Int] {
        (0..<partitions).filter { !confirmed.contains(PartitionAddress(service, $0)) }
    }

    /// Whether the store was restored so lately that other services may know what it has lost (`RestoredStore`).
    ///
    /// - Throws: `StoreError`.
    package func mayHaveForgotten() throws -> Bool {
        try RestoredStore(connection: connection).incomplete(at: now) != nil
    }

    /// Sends an event to the partition that owns it by its type and data.
    ///
    /// `subject` overrides the message's own; `partition` is needed where any may be asked. `stamp` belongs to an
    /// event that may be sent again unchanged; without one the event gets the present time, this cause and a random
    /// id. `isUrgent` overrides the route, where the sender knows more about who waits.
    ///
    /// - Returns: the id of the event.
    /// - Throws: `SendFault`, or `EncodingError` when the event has no JSON form.
    @discardableResult
    package func send<Body: Routed>(
        _ body: Body,
        subject: String? = nil,
        partition: Int? = nil,
        stamp: EventStamp? = nil,
        isUrgent: Bool? = nil
    ) throws -> EventID {
        let route = body.route
        let owner = partition.map { PartitionAddress(route.receiver, $0) } ?? route.owner(of: partitions)
        guard let owner else { throw SendFault.noOwner(Body.type) }
        let (subject, isUrgent) = (subject ?? route.subject, isUrgent ?? route.isUrgent)
        return try send(body, to: owner, subject: subject, stamp: stamp, isUrgent: isUrgent)
    }

    /// The partition that owns a message; nil when any may be asked.
    package func owner(of message: some Routed) -> PartitionAddress? {
        message.route.owner(of: partitions)
    }

    /// Sends an event to the partition `owner` and returns its id.
    ///
    /// - Throws: `SendFault`, or `EncodingError` when the event has no JSON form.
    @discardableResult
    package func send<Body: Contract>(
        _ body: Body,
        to owner: PartitionAddress,
        subject: String,
        stamp: EventStamp? = nil,
        isUrgent: Bool = true
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
        guard bytes.count <= Body.maximumBytes else {
            throw SendFault.tooLarge(Body.type, bytes: bytes.count)
        }
        sent.append(
            OutgoingEvent(
                to: owner,
                id: event.id,
                type: Body.type,
                subject: subject,
                bytes: bytes,
                isUrgent: isUrgent
            )
        )
        return event.id
    }

    /// Records a trace entry that the service's rows do not show.
    ///
    /// `subject` is the id under which the service traces it: of an order, a receipt or a purchase.
    package func trace(_ entry: Trace.Entry, of subject: String) {
        traceEntries.append(RecordedTraceEntry(subject: subject, entry: entry))
    }

    /// Records the current message as an entry that no row shows.
    package func trace<Body: Contract>(_ message: Event<Body>, of subject: String) {
        trace(Trace.Entry(message, at: now), of: subject)
    }

    /// Records what an operator has done, in the transaction in which it is done.
    ///
    /// - Throws: `StoreError`.
    package func record(
        _ kind: Act.Kind,
        of subject: String,
        proposal: ProposalID? = nil,
        by acting: OperatorID?,
        for person: String?,
        because reason: String?,
        from before: String,
        to after: String
    ) throws {
        try ActStore(connection: connection).add(
            Act(
                number: 0,
                time: now,
                operatorId: acting,
                kind: kind,
                subject: subject,
                proposalId: proposal,
                person: person,
                reason: reason,
                before: before,
                after: after
            )
        )
    }

    /// After COMMIT, runs the handlers again that wait on `key`.
    package func wake(_ key: String) { woken.insert(key) }

    /// After COMMIT, logs an alarm for the operator; never a receipt, a token or a key.
    package func alarm(_ kind: AlarmKind, _ text: String) {
        alarms.append(Alarm(kind, text, traceparent: traceparent))
    }

    /// After COMMIT, counts one more of what the service's `counters` names.
    package func count(_ name: String) { counts[name, default: 0] += 1 }

    /// After COMMIT, looks for due work, now or at `time`.
    package func scheduleWork(at time: Timestamp) { workAt = min(workAt ?? time, time) }

    /// A random number, for example to spread retries.
    package func newNumber() -> UInt64 { UInt64(newIdentifier().rawValue.prefix(16), radix: 16) ?? 0 }

    /// 64 random bits of the partition's generator.
    package func newRandomBits() -> UInt64 { identifiers.random() }

    /// A new unique id.
    package func newIdentifier() -> EventID { identifiers.eventID() }
}
