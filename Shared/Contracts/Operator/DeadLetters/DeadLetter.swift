/// An event that a partition could not handle.
package struct DeadLetter: Codable, Hashable, Sendable {
    package var letterId: String
    /// The sending partition; nil for a local event.
    package var from: PartitionAddress? = nil
    package var type: String
    package var subject: String
    package var eventId: String
    package var reason: String
    /// Why its handler failed at first, before the retries; nil of what no handler was given.
    package var firstReason: String? = nil
    /// Number of retries before it was a dead letter.
    package var attempts: Int = 0
    package var time: Timestamp
    /// The event's bytes as text; only when one letter was requested.
    package var event: String? = nil
}
