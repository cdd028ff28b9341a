/// The notification is stored; Apple need not deliver it again.
package struct ServerNotificationDeliveredV1: Codable, Hashable, Sendable {
    package var notificationUUID: String
    /// Whether it was delivered before.
    package var isRepeated: Bool
}
