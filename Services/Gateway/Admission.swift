import Delivery

/// How much one gateway has in hand, in two lanes: what bears a key, and what anybody may send.
///
/// What is beyond the bounds is answered 503 before anything of it is accepted. The lanes share nothing, so strangers
/// can fill only their own; together they ask no more at a time than a gateway may.
struct Admission: Sendable {
    /// Most requests and waits in flight of those who have a key.
    static let maximumRequests = RequestClient.inFlightBound - maximumNotifications
    /// Most bytes of bodies above the small limit, over all requests in flight of those who have a key.
    static let maximumLargeBytes = 256 << 20
    /// Most notifications in flight; each asks one partition at a time.
    static let maximumNotifications = 256
    /// Most bytes of notifications, over all that are in flight.
    static let maximumNotificationBytes = 32 << 20

    /// Those who have a key.
    let purchases: Lane
    /// Those who say that they are Apple.
    let notifications: Lane
    /// Proofs above `JSONBody.hugeBytes` go on one after the other: each costs as much as hundreds of common ones, and
    /// many at once would take every core from other buyers.
    let hugeProofs = ConcurrencyLimit(1)

    /// Lanes with bounds, by default those of the gateway.
    init(
        purchases: Lane = Lane(maximumRequests: maximumRequests, maximumBytes: maximumLargeBytes),
        notifications: Lane = Lane(
            maximumRequests: maximumNotifications,
            maximumBytes: maximumNotificationBytes
        )
    ) {
        self.purchases = purchases
        self.notifications = notifications
    }
}
