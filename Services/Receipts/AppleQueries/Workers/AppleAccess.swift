import AppStore
import Contracts
import Domain
import NIOConcurrencyHelpers

/// Clients for Apple's services, one per app and partition, and pauses.
///
/// Each partition has its part of an app's rate limit, so replicas keep it without communication. Nothing is stored.
final class AppleAccess: Sendable {
    struct App: Sendable {
        /// Apple's number for the app; nil turns the comparison off.
        var appAppleId: Int64?
        var key: AppStoreServerKey?
        /// Replaces Apple's limit for endpoints with 50 calls per second.
        var callsPerSecond: Int?
        var asksVerifyReceipt = false
        var sharedSecret: String?

        /// A partition's share of the rate limit.
        fileprivate func share(of partitions: Int) -> [Endpoint: Double] {
            let limits = Endpoint.allCases.map { endpoint -> (Endpoint, Double) in
                let isCommon = endpoint.callsPerSecond == Endpoint.commonLimit
                let own = isCommon ? callsPerSecond.map(Double.init) : nil
                return (endpoint, (own ?? endpoint.callsPerSecond) / Double(partitions))
            }
            return Dictionary(uniqueKeysWithValues: limits)
        }
    }

    private struct Place: Hashable {
        let queue: AppleQueryQueue
        let partition: Int
        /// Nil for the whole queue.
        var endpoint: Endpoint?
    }

    let apps: [BundleID: App]
    let clock: ClientClock
    let partitions: Int
    private let clients: [Place: AppStoreServerClient]
    private let verifyReceipt: VerifyReceiptClient
    private let pauses = NIOLockedValueBox<[Place: Timestamp]>([:])
    let calls: CallsUnderWay
    let answers: SharedAnswers

    /// - Throws: `UnusableKey` when a key file holds no key.
    init(
        apps: [BundleID: App],
        partitions: Int,
        serverAPI: AppleAddresses = .serverAPI,
        verifyReceipt: AppleAddresses = .verifyReceipt,
        transport: any AppleTransport = HTTPTransport(),
        clock: ClientClock = .system
    ) throws(UnusableKey) {
        self.apps = apps
        self.partitions = partitions
        self.clock = clock
        answers = SharedAnswers(clock: clock)
        calls = CallsUnderWay(transport, to: serverAPI, clock: clock)
        self.verifyReceipt = VerifyReceiptClient(
            addresses: verifyReceipt,
            transport: transport,
            clock: clock
        )
        var clients: [Place: AppStoreServerClient] = [:]
        for (bundleID, app) in apps {
            guard let key = app.key else { continue }
            let queue = AppleQueryQueue(bundleID: bundleID, api: .serverAPI)
            for partition in 0..<partitions {
                clients[Place(queue: queue, partition: partition)] = try AppStoreServerClient(
                    key: key,
                    addresses: serverAPI,
                    transport: calls,
                    clock: clock,
                    callsPerSecond: app.share(of: partitions)
                )
            }
        }
        self.clients = clients
    }

    func client(of bundleID: BundleID, partition: Int) -> AppStoreServerClient? {
        clients[Place(queue: AppleQueryQueue(bundleID: bundleID, api: .serverAPI), partition: partition)]
    }

    /// The client for `verifyReceipt` and the app's secret; nil if it may not be asked.
    func verifyReceipt(of bundleID: BundleID) -> (client: VerifyReceiptClient, secret: String?)? {
        guard let app = apps[bundleID], app.asksVerifyReceipt else { return nil }
        return (verifyReceipt, app.sharedSecret)
    }

    // MARK: Pauses

    /// Longest pause, ms.
    private static let longestPause: Int64 = 3_600_000

    /// Pauses a partition's queue until `moment`, or of it what asks one endpoint: the next calls would fail alike.
    ///
    /// Apple limits, and fails, by endpoint.
    func pause(
        _ queue: AppleQueryQueue,
        _ endpoint: Endpoint? = nil,
        of partition: Int,
        until moment: Timestamp
    ) {
        let place = Place(queue: queue, partition: partition, endpoint: endpoint)
        pauses.withLockedValue { $0[place] = max($0[place] ?? moment, moment) }
    }

    /// When the pause of the whole queue, or of an endpoint, ends; nil if it does not pause.
    func pauseEnd(
        of queue: AppleQueryQueue,
        _ endpoint: Endpoint? = nil,
        partition: Int,
        now: Timestamp
    ) -> Timestamp? {
        let place = Place(queue: queue, partition: partition, endpoint: endpoint)
        return pauses.withLockedValue { pauses in
            let ends = DueTimes(at: now, longestPause: Self.longestPause)
            guard let end = pauses[place], !ends.contains(end) else {
                pauses[place] = nil
                return nil
            }
            return end
        }
    }

    /// The endpoints that pause, each until when; the queue's others go on.
    func pausedEndpoints(of queue: AppleQueryQueue, partition: Int, now: Timestamp) -> [Endpoint: Timestamp] {
        var paused: [Endpoint: Timestamp] = [:]
        for endpoint in Endpoint.allCases {
            paused[endpoint] = pauseEnd(of: queue, endpoint, partition: partition, now: now)
        }
        return paused
    }
}
