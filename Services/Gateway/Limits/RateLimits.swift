import Contracts
import NIOConcurrencyHelpers
import Program

/// Limits the requests of buyers' phones, and of those keys and apps whose configuration says so, in this gateway.
///
/// A limited request has no effect. It gets 429 with `Retry-After`; where proofs are taken it gets 503, because a
/// client might throw a proof away after a 4xx.
struct RateLimits: Sendable {
    /// Most buyers whose paces are remembered; one that is forgotten begins again with a second's worth of requests.
    static let maximumBuyers = 65_536
    private static let proofs = "/v1/receipts"

    private typealias Pace = NIOLockedValueBox<RequestPace>

    /// A key of an app's servers, or of its phones: either may have the other's id.
    private struct KeyName: Hashable {
        let bundle: BundleID
        let isOfPhones: Bool
        let id: String
    }

    /// The paces of an app's buyers.
    private struct Buyers: Sendable {
        let fresh: RequestPace
        let paces: NIOLockedValueBox<RecentValues<BuyerID, RequestPace>>

        func take(_ buyer: BuyerID, at uptime: Int64) -> Bool {
            paces.withLockedValue { paces in
                var pace = paces[buyer] ?? fresh
                defer { paces[buyer] = pace }
                return pace.take(at: uptime)
            }
        }
    }

    let inFlight = BuyersInFlight()
    private var apps: [BundleID: Pace] = [:]
    private var keys: [KeyName: Pace] = [:]
    private var buyers: [BundleID: Buyers] = [:]

    init(apps: [Configuration.App]) {
        for app in apps {
            let bundle = app.bundleId
            self.apps[bundle] = Self.pace(app.requestsPerSecond)
            for key in app.keys {
                keys[KeyName(bundle: bundle, isOfPhones: false, id: key.id)] = Self.pace(
                    key.requestsPerSecond
                )
            }
            guard let tokens = app.phoneTokens else { continue }
            for key in tokens.keys {
                keys[KeyName(bundle: bundle, isOfPhones: true, id: key.id)] = Self.pace(key.requestsPerSecond)
            }
            buyers[bundle] = Buyers(
                fresh: RequestPace(perSecond: tokens.requestsPerSecond),
                paces: NIOLockedValueBox(RecentValues(atMost: Self.maximumBuyers))
            )
        }
    }

    /// Takes one request to a route, at a moment in ms of uptime: of the buyer first, who holds up nobody else.
    ///
    /// The moment is asked for only where somebody has a pace.
    func admit(_ caller: Caller, to path: String, at uptime: () -> Int64) throws(Problem) {
        let bundle = caller.bundle
        switch caller {
        case .serverKey(_, let id):
            try take(keys[KeyName(bundle: bundle, isOfPhones: false, id: id)], at: uptime, path)
        case .phone(_, let buyer, let id):
            if let buyers = buyers[bundle], !buyers.take(buyer, at: uptime()) { throw Self.refusal(path) }
            try take(keys[KeyName(bundle: bundle, isOfPhones: true, id: id)], at: uptime, path)
        }
        try take(apps[bundle], at: uptime, path)
    }

    /// Counts a request of a buyer's phones until `leave`; refuses it when too many are in flight.
    func enter(_ buyer: AppBuyer?, to path: String) throws(Problem) {
        guard let buyer, !inFlight.enter(buyer) else { return }
        throw Self.refusal(path)
    }

    /// Ends a request that was let in.
    func leave(_ buyer: AppBuyer?) {
        if let buyer { inFlight.leave(buyer) }
    }

    /// Of what one buyer's phones send too much.
    private static func refusal(_ path: String) -> Problem {
        path.hasPrefix(proofs) ? .proofsLimitedOfBuyer : .limitedOfBuyer
    }

    private func take(_ pace: Pace?, at uptime: () -> Int64, _ path: String) throws(Problem) {
        guard let pace else { return }
        let now = uptime()
        guard !pace.withLockedValue({ $0.take(at: now) }) else { return }
        throw path.hasPrefix(Self.proofs) ? .proofsLimited : .limited
    }

    private static func pace(_ perSecond: Int?) -> Pace? {
        perSecond.map { NIOLockedValueBox(RequestPace(perSecond: $0)) }
    }
}
