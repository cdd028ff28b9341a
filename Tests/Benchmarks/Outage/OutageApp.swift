import Contracts
import Crypto
import Foundation
import Program

/// The kinds of proofs that an outage strikes differently.
enum OutageKind: String, CaseIterable, Sendable {
    /// Signed by Apple: nobody has to be asked.
    case signedTransaction
    /// Of iOS 6, for an app that can ask nothing but `verifyReceipt`.
    case verifyReceipt
    /// Of iOS 6, for an app with a key to the App Store Server API.
    case serverAPI

    var bundleID: String { self == .serverAPI ? OutageApp.bundleIDWithKey : OutageApp.bundleIDWithoutKey }

    /// The name of the proof in a submission.
    var member: String { self == .signedTransaction ? "signedTransaction" : "transactionReceipt" }
}

/// The two apps of the group.
enum OutageApp {
    /// The app that `counterfoil init` makes.
    static let bundleIDWithoutKey = "com.example.game"
    static let bundleIDWithKey = "com.example.other"
    static let productID = "coins.120"

    /// A new key for the edge.
    static func newSecret() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
    }

    /// Lets the first app ask `verifyReceipt`, and adds one with a key to the App Store Server API.
    static func configure(
        _ root: String,
        appStore: String,
        key: PlayedAppStore.Key,
        callsPerSecond: Int,
        secret: String
    ) throws {
        let home = Home(root: root)
        var configuration = try Configuration(of: home)
        configuration.appStore = appStore
        for index in configuration.apps.indices { configuration.apps[index].verifyReceipt = .init() }
        let file = "AuthKey_\(key.keyId).p8"
        try Data(key.privateKey.utf8).write(to: URL(filePath: home.path(file)))
        let server = Configuration.AppStoreServer(
            issuerId: key.issuerId,
            keyId: key.keyId,
            privateKey: file,
            callsPerSecond: callsPerSecond
        )
        configuration.apps.append(
            .init(
                bundleId: BundleID(unchecked: bundleIDWithKey),
                keys: [.init(id: "key2", secret: secret)],
                appStoreServer: server
            )
        )
        try JSONEncoder().encode(configuration).write(to: URL(filePath: home.configurationFile))
    }
}

/// One purchase, as its phone holds it.
struct OutagePurchase: Sendable {
    let kind: OutageKind
    let buyer: String
    let transactionId: String
    let proof: String
}
