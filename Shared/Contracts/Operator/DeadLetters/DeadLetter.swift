/// An event that a partition could not handle.
package struct DeadLetter: Codable, Hashable, Sendable {
    package var letterId: String
    /// The sending partition; nil for a local event.
    package var from: PartitionAddress?
    package var type: String
    package var subject: String
    package var eventId: String
    package var reason: String
    package var time: Timestamp
    /// The event's bytes as text; only when one letter was requested.
    package var event: String?

    package init(
        letterId: String,
        from: PartitionAddress? = nil,
        type: String,
        subject: String,
        eventId: String,
        reason: String,
        time: Timestamp,
        event: String? = nil
    ) {
        self.letterId = letterId
        self.from = from
        self.type = type
        self.subject = subject
        self.eventId = eventId
        self.reason = reason
        self.time = time
        self.event = event
    }
}
