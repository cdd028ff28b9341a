import Delivery

/// How much one gateway does at a time: for those who have a key, and for anybody who sends notifications.
///
/// What is beyond the limits is answered 503 before anything of it is accepted. The limits are apart, so that strangers
/// can fill only their own; together they allow no more requests to partitions than a gateway may have.
struct LoadShedder: Sendable {
    /// Most requests and waits in flight of those who have a key.
    static let maximumRequests = RequestClient.inFlightBound - maximumNotifications
    /// Most bytes of bodies above the small limit, over all requests in flight of those who have a key.
    static let maximumLargeBytes = 256 << 20
    /// Most notifications in flight; each asks one partition at a time.
    static let maximumNotifications = 256
    /// Most bytes of notifications, over all that are in flight.
    static let maximumNotificationBytes = 32 << 20

    /// For those who have a key.
    var purchases = ConcurrencyLimit(maximumRequests: maximumRequests, maximumBytes: maximumLargeBytes)
    /// For those who say that they are Apple.
    var notifications = ConcurrencyLimit(
        maximumRequests: maximumNotifications,
        maximumBytes: maximumNotificationBytes
    )
    /// Proofs above `JSONBody.hugeBytes` go on one after the other: each costs as much as hundreds of common ones, and
    /// many at once would take every core from other buyers.
    let hugeProofs = AsyncSemaphore(1)
}
