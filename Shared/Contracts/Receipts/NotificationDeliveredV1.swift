/// The notification is kept; Apple need not deliver it again.
package struct NotificationDeliveredV1: Codable, Hashable, Sendable {
    package var notificationUUID: String
    /// Whether it had been delivered before.
    package var isRepeated: Bool

    package init(notificationUUID: String, isRepeated: Bool) {
        self.notificationUUID = notificationUUID
        self.isRepeated = isRepeated
    }
}
