/// Encodes contracts: the same message always has the same bytes.
package enum EventCoder {
    /// A new encoder for messages.
    package static func encoder() -> EventEncoder { EventEncoder() }
}
