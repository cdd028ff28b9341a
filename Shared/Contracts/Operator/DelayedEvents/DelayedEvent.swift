/// An event that waits for a retry, or parked outside work.
package struct DelayedEvent: Codable, Hashable, Sendable {
    /// What waits.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A message whose handler failed, or one queued behind it by subject.
        case event
        /// A call to Apple, a webhook or a timer's turn whose result ended the process or cannot be written.
        case work
    }

    /// The event's id, or the work's key.
    package var eventId: String
    package var kind: Kind
    /// The sending partition; nil for a local event.
    package var from: PartitionAddress?
    /// Nil for work.
    package var type: String?
    package var subject: String?
    package var reason: String
    /// Number of retries.
    package var attempts: Int?
    /// Time of the next retry, unless an earlier event of its subject is delayed; nil when the operator must
    /// decide.
    package var due: Timestamp?
    /// Delayed since.
    package var time: Timestamp

    package init(
        eventId: String,
        kind: Kind,
        from: PartitionAddress? = nil,
        type: String? = nil,
        subject: String? = nil,
        reason: String,
        attempts: Int? = nil,
        due: Timestamp? = nil,
        time: Timestamp
    ) {
        self.eventId = eventId
        self.kind = kind
        self.from = from
        self.type = type
        self.subject = subject
        self.reason = reason
        self.attempts = attempts
        self.due = due
        self.time = time
    }
}
