/// A CloudEvents 1.0 event in structured JSON mode: the only form of messages between services.
///
/// Source: CloudEvents specification 1.0.2 and its distributed tracing extension. Our extension attribute
/// `causationid` is the `id` of the event that caused this one.
package struct Event<Body: Contract>: Sendable {
    package var id: EventID
    /// The sender, such as `/orders/3` or `/gateway`.
    package var source: String
    package var time: Timestamp
    /// The ordering key: events of one subject on one link are handled in turn.
    package var subject: String
    package var causationID: EventID?
    /// As `Traceparent` has it, where a request that named a trace led to the event.
    package var traceparent: String?
    package var data: Body

    package init(
        id: EventID,
        source: String,
        time: Timestamp,
        subject: String,
        causationID: EventID? = nil,
        traceparent: String? = nil,
        data: Body
    ) {
        self.id = id
        self.source = source
        self.time = time
        self.subject = subject
        self.causationID = causationID
        self.traceparent = traceparent
        self.data = data
    }
}

extension Event: Encodable {
    /// Encodes the event in structured mode.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EventKeys.self)
        try container.encode("1.0", forKey: .specversion)
        try container.encode(id, forKey: .id)
        try container.encode(source, forKey: .source)
        try container.encode(Body.type.rawValue, forKey: .type)
        try container.encode(time.rfc3339, forKey: .time)
        try container.encode(subject, forKey: .subject)
        try container.encodeIfPresent(causationID, forKey: .causationid)
        try container.encodeIfPresent(traceparent, forKey: .traceparent)
        try container.encode(data, forKey: .data)
    }
}

extension Event {
    /// Decodes an event whose `type` is known to be `Body.type`.
    package init(from container: KeyedDecodingContainer<EventKeys>) throws {
        id = try container.decode(EventID.self, forKey: .id)
        source = try container.decode(String.self, forKey: .source)
        let written = try container.decode(String.self, forKey: .time)
        guard let time = Timestamp(rfc3339: written) else {
            throw DecodingError.dataCorruptedError(
                forKey: .time,
                in: container,
                debugDescription: "not RFC 3339"
            )
        }
        self.time = time
        subject = try container.decode(String.self, forKey: .subject)
        causationID = try container.decodeIfPresent(EventID.self, forKey: .causationid)
        traceparent = try container.decodeIfPresent(String.self, forKey: .traceparent)
        data = try container.decode(Body.self, forKey: .data)
    }
}
