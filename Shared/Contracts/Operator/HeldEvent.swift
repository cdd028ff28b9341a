/// One event that waits to be tried again, or one piece of outside work that is parked.
package struct HeldEvent: Codable, Hashable, Sendable {
    /// What waits.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A message that its handler could not bear, or one that queues behind such a message of its subject.
        case event
        /// Outside work, such as a call to Apple or a webhook, whose result ended the process.
        case work
    }

    /// The id of the event, or the key of the work.
    package var eventId: String
    package var kind: Kind
    /// The partition that sent it; nil for a local one.
    package var from: PartitionAddress?
    /// The type of the event; nil for work.
    package var type: String?
    package var subject: String?
    package var reason: String
    /// How often it was tried again.
    package var attempts: Int?
    /// When it is tried next, if nothing before it of its subject is held; nil when only the operator can say so.
    package var due: Timestamp?
    /// Since when it waits.
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
