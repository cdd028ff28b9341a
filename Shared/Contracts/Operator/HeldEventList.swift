/// What waits in a partition to be tried again.
package struct HeldEventList: Codable, Hashable, Sendable {
    package var events: [HeldEvent]

    package init(events: [HeldEvent]) {
        self.events = events
    }
}
