import Contracts
import Domain

/// A second's worth of requests at once, then a steady rate.
struct RequestPace: Hashable, Sendable {
    private var bucket: TokenBucket

    init(perSecond: Int) {
        bucket = TokenBucket(perSecond: Double(perSecond), burst: perSecond, longestWait: 0)
    }

    /// Whether a request may come at a moment, in ms of uptime.
    mutating func take(at uptime: Int64) -> Bool {
        let now = Timestamp(milliseconds: uptime)
        return bucket.take(now: now) == .at(now)
    }
}
