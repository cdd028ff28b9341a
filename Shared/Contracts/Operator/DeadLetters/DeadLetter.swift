/// An event that a partition could not handle.
package struct DeadLetter: Codable, Hashable, Sendable {
    package var letterId: String
    /// The sending partition; nil for a local event.
    package var from: PartitionAddress? = nil
    package var type: String
    package var subject: String
    package var eventId: String
    package var reason: String
    package var time: Timestamp
    /// The event's bytes as text; only when one letter was requested.
    package var event: String? = nil
}
