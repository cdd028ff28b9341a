import Contracts

/// Reads what Apple signed of a notification.
protocol ServerNotificationReader: Sendable {
    /// The content of `signedPayload`; `now` replaces a missing signing time.
    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(ServerNotificationFailure) -> ServerNotification
}
