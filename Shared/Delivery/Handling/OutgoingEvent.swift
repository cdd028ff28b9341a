package import Contracts

/// An event on its way into the outbox.
package struct OutgoingEvent: Equatable, Sendable {
    package let to: PartitionAddress
    package let id: EventID
    package let type: EventType
    package let subject: String
    package let bytes: [UInt8]
    /// Whether a phone waits for what follows from it.
    package let isUrgent: Bool
}
