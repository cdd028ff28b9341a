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
    package var from: PartitionAddress? = nil
    /// Nil for work.
    package var type: String? = nil
    package var subject: String? = nil
    package var reason: String
    /// Why its handler failed at first, before the retries; nil if it has not, or waits behind another event.
    package var firstReason: String? = nil
    /// Number of retries.
    package var attempts: Int? = nil
    /// Time of the next retry, unless an earlier event of its subject is delayed; nil when the operator must
    /// decide.
    package var due: Timestamp? = nil
    /// Delayed since.
    package var time: Timestamp
}
