import Delivery

/// The limits of one gateway, apart for requests with an API key and for notifications.
///
/// Requests beyond a limit get 503 before anything is accepted. Strangers can fill only the limit of notifications;
/// both together allow no more requests to partitions than a gateway may have.
struct LoadShedder: Sendable {
    /// Most requests and waits in flight with an API key.
    static let maximumRequests = RequestClient.inFlightBound - maximumServerNotifications
    /// Most bytes of bodies above the small limit, over all requests in flight with an API key.
    static let maximumLargeBytes = 256 << 20
    /// Most notifications in flight; each asks one partition at a time.
    static let maximumServerNotifications = 256
    static let maximumServerNotificationBytes = 32 << 20

    /// Most step logs in flight: they decide nothing, and leave the partitions to purchases.
    static let maximumStepLogs = 64

    /// Most requests of operators in flight.
    static let maximumOperators = 64

    /// For requests with an API key.
    var purchases = ConcurrencyLimit(maximumRequests: maximumRequests, maximumBytes: maximumLargeBytes)
    var serverNotifications = ConcurrencyLimit(
        maximumRequests: maximumServerNotifications,
        maximumBytes: maximumServerNotificationBytes
    )
    /// Beside the other limit on requests with an API key.
    var stepLogs = ConcurrencyLimit(maximumRequests: maximumStepLogs, maximumBytes: 0)
    /// For requests of operators, on a listener of their own.
    var operators = ConcurrencyLimit(maximumRequests: maximumOperators, maximumBytes: 0)
    let hugeProofs = HugeProofs()
}
