package import Contracts
package import Domain

/// What `counterfoil.json` says.
package struct Configuration: Encodable, Equatable, Sendable {
    /// How many partitions each service has when nothing is said; fixed when the home is initialised.
    package static let defaultPartitions = 4
    /// Most partitions per service.
    package static let maximumPartitions = 256
    /// The shortest secret that is accepted, in characters.
    package static let minimumSecretLength = 16

    package var partitions: Int
    package var http: HTTP
    /// Further root certificates, DER or PEM files; accepted in a test home only.
    package var extraRoots: [String]
    /// Where Apple's servers are played, a URL without a slash at its end; accepted in a test home only.
    package var appStore: String?
    package var recovery: Recovery
    package var retention: Retention
    package var apps: [App]

    package init(
        partitions: Int = Configuration.defaultPartitions,
        http: HTTP = HTTP(),
        extraRoots: [String] = [],
        appStore: String? = nil,
        recovery: Recovery = Recovery(),
        retention: Retention = Retention(),
        apps: [App]
    ) {
        self.partitions = partitions
        self.http = http
        self.extraRoots = extraRoots
        self.appStore = appStore
        self.recovery = recovery
        self.retention = retention
        self.apps = apps
    }

    /// The gateway's edge.
    package struct HTTP: Encodable, Hashable, Sendable {
        /// How many connections one address may have when nothing is said.
        package static let standardConnectionsPerAddress = 256
        /// How many connections one address may be allowed.
        package static let connectionsPerAddress = 1...8_192

        package var listen: ListenAddress
        /// Where operators read figures and health; nobody else should reach it.
        package var operations: ListenAddress
        /// Most connections of one address, to each replica.
        package var connectionsPerAddress: Int
        /// Whose connections are not counted: proxies, which speak for many.
        package var proxies: [AddressRange]

        /// An edge that listens at an address; operators are answered on this machine only, at the port above.
        package init(
            listen: ListenAddress = .standard,
            operations: ListenAddress? = nil,
            connectionsPerAddress: Int = standardConnectionsPerAddress,
            proxies: [AddressRange] = AddressRange.loopback
        ) {
            self.listen = listen
            self.operations = operations ?? .operations(beside: listen)
            self.connectionsPerAddress = connectionsPerAddress
            self.proxies = proxies
        }
    }

    /// One app whose purchases are handled.
    package struct App: Encodable, Equatable, Sendable {
        package var bundleId: BundleID
        /// Apple's number for the app; needed for Production only.
        package var appAppleId: Int64?
        package var environments: [Environment]
        package var sandbox: SandboxPolicy
        package var keys: [Key]
        package var webhook: Webhook?
        /// The key to Apple's App Store Server API; nil: it is not asked.
        package var appStoreServer: AppStoreServer?
        /// Whether and how Apple's `verifyReceipt` is asked; nil: it is not.
        package var verifyReceipt: VerifyReceipt?

        package init(
            bundleId: BundleID,
            appAppleId: Int64? = nil,
            environments: [Environment] = [.production, .sandbox],
            sandbox: SandboxPolicy = .separate,
            keys: [Key],
            webhook: Webhook? = nil,
            appStoreServer: AppStoreServer? = nil,
            verifyReceipt: VerifyReceipt? = nil
        ) {
            self.bundleId = bundleId
            self.appAppleId = appAppleId
            self.environments = environments
            self.sandbox = sandbox
            self.keys = keys
            self.webhook = webhook
            self.appStoreServer = appStoreServer
            self.verifyReceipt = verifyReceipt
        }
    }

    /// What opens the edge for one app; `secret` is the bearer token.
    package struct Key: Encodable, Hashable, Sendable {
        package var id: String
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// Where an app's own backend is told of changes.
    package struct Webhook: Encodable, Hashable, Sendable {
        package var url: String
        package var secret: String

        package init(url: String, secret: String) {
            self.url = url
            self.secret = secret
        }
    }

    /// The app of this bundle id.
    package func app(_ bundleID: BundleID) -> App? { apps.first { $0.bundleId == bundleID } }
}

extension SandboxPolicy: Encodable {
    private enum Keys: String, CodingKey { case grantTo }

    /// Encodes the word, or the object that lists buyers.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .refuse, .separate:
            var container = encoder.singleValueContainer()
            try container.encode(self == .refuse ? "refuse" : "separate")
        case .grantTo(let buyers):
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(buyers, forKey: .grantTo)
        }
    }
}
