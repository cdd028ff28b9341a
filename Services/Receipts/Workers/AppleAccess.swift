import AppStore
import Contracts
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
    }

    private struct Key: Hashable {
        let queue: AppleQueue
        let partition: Int
    }

    let apps: [BundleID: App]
    let clock: ClientClock
    let partitions: Int
    private let addresses: AppleAddresses
    private let transport: any AppleTransport
    private let verifyReceipt: VerifyReceiptClient
    private let clients = NIOLockedValueBox<[Key: AppStoreServerClient]>([:])
    private let pauses = NIOLockedValueBox<[Key: Timestamp]>([:])

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
        self.transport = transport
        self.clock = clock
        addresses = serverAPI
        self.verifyReceipt = VerifyReceiptClient(
            addresses: verifyReceipt,
            transport: transport,
            clock: clock
        )
        for (bundleID, app) in apps where app.key != nil { _ = try client(of: bundleID, partition: 0) }
    }

    func client(of bundleID: BundleID, partition: Int) throws(UnusableKey) -> AppStoreServerClient? {
        guard let app = apps[bundleID], let key = app.key else { return nil }
        let name = Key(queue: AppleQueue(bundleID: bundleID, api: .serverAPI), partition: partition)
        if let known = clients.withLockedValue({ $0[name] }) { return known }
        let made = try AppStoreServerClient(
            key: key,
            addresses: addresses,
            transport: transport,
            clock: clock,
            callsPerSecond: share(of: app)
        )
        return clients.withLockedValue { clients in
            let client = clients[name] ?? made
            clients[name] = client
            return client
        }
    }

    /// The client for `verifyReceipt` and the app's secret; nil if it may not be asked.
    func verifyReceipt(of bundleID: BundleID) -> (client: VerifyReceiptClient, secret: String?)? {
        guard let app = apps[bundleID], app.asksVerifyReceipt else { return nil }
        return (verifyReceipt, app.sharedSecret)
    }

    private func share(of app: App) -> [Endpoint: Double] {
        let limits = Endpoint.allCases.map { endpoint -> (Endpoint, Double) in
            let own =
                endpoint.callsPerSecond == Endpoint.commonLimit ? app.callsPerSecond.map(Double.init) : nil
            return (endpoint, (own ?? endpoint.callsPerSecond) / Double(partitions))
        }
        return Dictionary(uniqueKeysWithValues: limits)
    }

    // MARK: Pauses

    /// Longest pause of a queue, ms; a later end means the clock moved backwards.
    private static let longestPause: Int64 = 3_600_000

    /// Pauses a partition's queue until `moment`: the next calls would fail alike.
    func pause(_ queue: AppleQueue, of partition: Int, until moment: Timestamp) {
        let key = Key(queue: queue, partition: partition)
        pauses.withLockedValue { $0[key] = max($0[key] ?? moment, moment) }
    }

    func pauseEnd(of queue: AppleQueue, partition: Int, now: Timestamp) -> Timestamp? {
        let key = Key(queue: queue, partition: partition)
        return pauses.withLockedValue { pauses in
            guard let end = pauses[key], now < end, end <= now.advanced(by: Self.longestPause) else {
                pauses[key] = nil
                return nil
            }
            return end
        }
    }
}
