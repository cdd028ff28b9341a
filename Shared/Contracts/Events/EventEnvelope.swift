/// The members of an event around its `data`.
package struct EventEnvelope: Equatable, Sendable {
    package var id: EventID
    package var source: String
    package var type: String
    package var time: Timestamp
    package var subject: String
    package var causationID: EventID?
    package var traceparent: String?
}

extension EventEnvelope: DirectlyCoded {
    /// Of CloudEvents.
    private static let version = "1.0"

    /// The first members, up to `data`.
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        guard try json.member("specversion", value.map { _ in Self.version }) == Self.version else {
            throw NotDirect()
        }
        id = try json.member("id", value?.id)
        source = try json.member("source", value?.source)
        type = try json.member("type", value?.type)
        let written = try json.member("time", value?.time.rfc3339)
        guard let time = value?.time ?? Timestamp(rfc3339: written) else { throw NotDirect() }
        self.time = time
        subject = try json.member("subject", value?.subject)
        causationID = try json.optional("causationid", value?.causationID)
        traceparent = try json.optional("traceparent", value?.traceparent)
    }
}

extension Event {
    private var envelope: EventEnvelope {
        EventEnvelope(
            id: id,
            source: source,
            type: Body.type.rawValue,
            time: time,
            subject: subject,
            causationID: causationID,
            traceparent: traceparent
        )
    }

    /// Reads the rest of an event whose `type` is known to be `Body.type`; nil when it needs the general way.
    package init?(_ envelope: EventEnvelope, from json: inout JSONReader) {
        let data: Body
        do throws(NotDirect) {
            data = try json.member("data")
            try json.close()
        } catch {
            return nil
        }
        self.init(
            id: envelope.id,
            source: envelope.source,
            time: envelope.time,
            subject: envelope.subject,
            causationID: envelope.causationID,
            traceparent: envelope.traceparent,
            data: data
        )
    }

    /// Writes the event, and its data in the general way if they have no direct form.
    func write(to json: inout JSONWriter) throws {
        try envelope.write(to: &json)
        json.write(name: "data")
        let before = json.count
        do throws(NotDirect) {
            try data.write(to: &json)
        } catch {
            json.removeAll(after: before)
            try json.write(general: data)
        }
        json.close()
    }
}
