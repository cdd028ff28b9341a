/// Held events and parked work of a partition.
package struct HeldEventList: Codable, Hashable, Sendable {
    package var events: [HeldEvent]

    package init(events: [HeldEvent]) {
        self.events = events
    }
}
