import Contracts
import Foundation
import Glibc
import Program

/// A group that asks the App Store simulator: its first app by `verifyReceipt`, its second by the App Store Server API.
package struct AppStoreGroup: Sendable {
    /// The app that has a key to the App Store Server API.
    package static let bundleIDWithKey = "com.example.other"
    /// What Apple's notifications of version 1 about that app bear.
    package static let sharedSecret = "shared-secret-0123456789"

    package let group: TestGroup
    package let appStore: SimulatorProcess
    /// The gateway as the app with the key uses it.
    package let gatewayWithKey: GatewayClient

    /// The gateway as the app without a key uses it.
    package var gateway: GatewayClient { group.gateway }

    /// Runs such a group of a new home while `body` does; it looks for what it missed at its start only.
    ///
    /// `webhook` is where the server of the app with the key listens.
    package static func use<Value>(
        partitions: Int = 2,
        callsPerSecond: Int? = nil,
        webhook: String? = nil,
        _ body: (AppStoreGroup) async throws -> Value
    ) async throws -> Value {
        try await SimulatorProcess.use { appStore in
            let root = try await appStore.root()
            return try await TestHome.use(partitions: partitions, trusting: [root]) { home in
                let secret = try await configure(
                    Home(root: home.root),
                    appStore,
                    callsPerSecond,
                    webhook
                )
                return try await TestGroup.use(home: home) { group in
                    let gateway = try GatewayClient(
                        url: group.gateway.url,
                        bundleID: bundleIDWithKey,
                        apiKey: secret
                    )
                    return try await body(
                        AppStoreGroup(group: group, appStore: appStore, gatewayWithKey: gateway)
                    )
                }
            }
        }
    }

    /// Tells the home of Apple's servers and of the second app, whose secret it returns.
    private static func configure(
        _ home: Home,
        _ appStore: SimulatorProcess,
        _ callsPerSecond: Int?,
        _ webhook: String?
    ) async throws -> String {
        let key = try await appStore.newKey()
        let secret = UUID().uuidString
        let file = "AuthKey_\(key.keyId).p8"
        try Data(key.privateKey.utf8).write(to: URL(filePath: home.path(file)))
        var server = Configuration.AppStoreServer(issuerId: key.issuerId, keyId: key.keyId, privateKey: file)
        if let callsPerSecond { server.callsPerSecond = callsPerSecond }
        var configuration = try Configuration(of: home)
        configuration.appStore = appStore.url
        configuration.recovery.everyMinutes = 24 * 60
        for index in configuration.apps.indices { configuration.apps[index].verifyReceipt = .init() }
        let bundle = BundleID(unchecked: bundleIDWithKey)
        var app = Configuration.App(bundleId: bundle, keys: [.init(id: "key2", secret: secret)])
        app.appStoreServer = server
        app.webhook = webhook.map { Configuration.Webhook(url: $0, secret: UUID().uuidString) }
        app.verifyReceipt = .init(sharedSecret: sharedSecret)
        configuration.apps.append(app)
        try JSONEncoder().encode(configuration).write(to: URL(filePath: home.configurationFile))
        return secret
    }

    /// Sells what was ordered from the app with the key.
    package func sell(
        for order: OrderAnswer,
        account: String? = nil,
        notify: Bool = false
    ) async throws -> SimulatorProcess.Sold.Transaction {
        try await appStore.sell(
            to: Self.bundleIDWithKey,
            token: order.appAccountToken,
            account: account,
            notify: notify
        ).transaction
    }

    /// Kills the process of Receipts; `up` starts it again.
    package func killReceipts() async throws { kill(try await group.pid(of: "receipts"), SIGKILL) }

    /// Ends the process of Receipts politely and starts it again, so that it looks for what it missed.
    package func restartReceipts() async throws {
        try await group.home.counterfoil("restart", "receipts").succeeded()
    }
}
