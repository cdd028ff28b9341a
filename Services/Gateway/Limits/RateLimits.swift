import Contracts
import Domain
import NIOConcurrencyHelpers
import Program

/// Limits the requests of those apps whose configuration says so, in this gateway.
///
/// A limited request has no effect. It gets 429 with `Retry-After`; where proofs are taken it gets 503, because a
/// client might throw a proof away after a 4xx.
struct RateLimits: Sendable {
    private static let proofs = "/v1/receipts"

    private let paces: [BundleID: NIOLockedValueBox<RequestPace>]

    init(apps: [Configuration.App]) {
        let limited = apps.compactMap { app in
            app.requestsPerSecond.map { (app.bundleId, NIOLockedValueBox(RequestPace(perSecond: $0))) }
        }
        paces = Dictionary(limited) { first, _ in first }
    }

    /// Takes one request of an app to a route, at a moment in ms of uptime.
    func admit(_ app: BundleID, to path: String, at uptime: () -> Int64) throws(Problem) {
        guard let pace = paces[app] else { return }
        let now = uptime()
        guard !pace.withLockedValue({ $0.take(at: now) }) else { return }
        throw path.hasPrefix(Self.proofs) ? .proofsLimited : .limited
    }
}

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
