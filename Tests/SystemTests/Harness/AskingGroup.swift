import TestKit
import Contracts
import Foundation
import Glibc
import Program

/// A group that asks the App Store simulator: its first app by `verifyReceipt`, its second by the App Store Server
/// API.
struct AskingGroup {
    /// The app that has a key to the App Store Server API.
    static let bundleIDWithKey = "com.example.other"
    /// What Apple's notifications of version 1 about that app bear.
    static let sharedSecret = "shared-secret-0123456789"

    let group: TestGroup
    let appStore: PlayedAppStore
    /// The gateway as the app with the key uses it.
    let gatewayWithKey: Gateway

    /// The gateway as the app without a key uses it.
    var gateway: Gateway { group.gateway }

    /// Runs such a group of a new home while `body` does; it looks for what it missed at its start only.
    static func use<Value>(_ body: (AskingGroup) async throws -> Value) async throws -> Value {
        try await PlayedAppStore.use { appStore in
            try await TestHome.use(trusting: [try await appStore.root()]) { home in
                let secret = try await configure(Home(root: home.root), appStore)
                return try await TestGroup.use(home: home) { group in
                    let gateway = Gateway(
                        url: group.gateway.url,
                        bundleID: bundleIDWithKey,
                        apiKey: secret
                    )
                    let asking = AskingGroup(group: group, appStore: appStore, gatewayWithKey: gateway)
                    do {
                        let value = try await body(asking)
                        try await gateway.shutdown()
                        return value
                    } catch {
                        try await gateway.shutdown()
                        throw error
                    }
                }
            }
        }
    }

    /// Tells the home of Apple's servers and of the second app, whose secret it returns.
    private static func configure(_ home: Home, _ appStore: PlayedAppStore) async throws -> String {
        let key = try await appStore.newKey()
        let secret = UUID().uuidString
        let file = "AuthKey_\(key.keyId).p8"
        try Data(key.privateKey.utf8).write(to: URL(filePath: home.path(file)))
        var configuration = try Configuration(of: home)
        configuration.appStore = appStore.url
        configuration.recovery.everyMinutes = Configuration.Recovery.minutes.upperBound
        for index in configuration.apps.indices { configuration.apps[index].verifyReceipt = .init() }
        configuration.apps.append(
            .init(
                bundleId: BundleID(unchecked: bundleIDWithKey),
                keys: [.init(id: "key2", secret: secret)],
                appStoreServer: .init(issuerId: key.issuerId, keyId: key.keyId, privateKey: file),
                verifyReceipt: .init(sharedSecret: sharedSecret)
            )
        )
        try JSONEncoder().encode(configuration).write(to: URL(filePath: home.configurationFile))
        return secret
    }

    /// Kills the process of Receipts; `up` starts it again.
    func killReceipts() async throws { kill(try await group.pid(of: "receipts"), SIGKILL) }

    /// Ends the process of Receipts politely and starts it again, so that it looks for what it missed.
    func restartReceipts() async throws {
        let answer = try await group.home.counterfoil("restart", "receipts")
        guard answer.end == .exited(0) else { throw HarnessFault("restart: \(answer.errors)") }
    }
}

extension Gateway {
    /// How a submission stands now, or after `wait` ms.
    func verdict(_ receiptID: String, wait: Int = 0) async throws -> VerdictAnswer {
        try await insist("verdict") { try await get("/v1/receipts/\(receiptID)?wait=\(wait)") }
            .json(VerdictAnswer.self)
    }

    /// Waits until a submission is granted.
    func granted(_ receiptID: String, within limit: Duration) async throws {
        var last = ""
        try await eventually("\(receiptID) is granted", within: limit, detail: { last }) {
            let verdict = try await verdict(receiptID, wait: 1_000)
            last = verdict.verdict
            return verdict.finish && verdict.verdict.lowercased().hasSuffix("granted")
        }
    }

    /// Waits until a buyer's ledger has so many entries.
    func ledger(
        of buyer: String,
        until count: Int,
        within limit: Duration = .seconds(20)
    ) async throws -> [LedgerAnswer.Entry] {
        try await eventually("\(count) entries in the ledger of \(buyer)", within: limit) {
            let entries = try await ledger(of: buyer)
            return entries.count >= count ? entries : nil
        }
    }
}
