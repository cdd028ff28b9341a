import AppStore
import Contracts
import FoundationEssentials
import Program

struct ReceiptsConfiguration {
    let policies: [BundleID: AppPolicy]
    let retention: ProofRetention
    /// How old the proof of a restore may be, ms.
    let freshRestore: Int64
    let apple: AppleSettings

    private static let minuteMilliseconds: Int64 = 60_000

    init(home: Home) throws(ConfigurationError) {
        let configuration = try Configuration(of: home)
        let roots = try configuration.extraRoots.map { path throws(ConfigurationError) in
            try Self.certificates(at: path, of: home)
        }
        try self.init(configuration, home: home, extraRoots: roots.flatMap(\.self))
    }

    /// A `home` is needed if the configuration names key files.
    init(
        _ configuration: Configuration,
        home: Home? = nil,
        extraRoots: [[UInt8]] = []
    ) throws(ConfigurationError) {
        let apps = configuration.apps.map { ($0.bundleId, AppPolicy($0)) }
        policies = Dictionary(apps, uniquingKeysWith: { first, _ in first })
        retention = ProofRetention(days: configuration.retention.proofDays)
        freshRestore = Int64(configuration.restores.freshMinutes) * Self.minuteMilliseconds
        apple = AppleSettings(
            access: try Self.access(configuration, home),
            readingInterval: Int64(configuration.recovery.everyMinutes) * Self.minuteMilliseconds,
            verifiers: AppleVerifiers(extraRoots: extraRoots)
        )
    }

    private static func certificates(at path: String, of home: Home) throws(ConfigurationError) -> [[UInt8]] {
        let path = home.path(path)
        let bytes = [UInt8](try home.contents(ofFile: path, namedBy: "extraRoots"))
        guard let certificates = CertificateFile.certificates(in: bytes) else {
            throw ConfigurationError(file: path, problem: "holds no certificate; give DER or PEM")
        }
        return certificates
    }

    private static func access(
        _ configuration: Configuration,
        _ home: Home?
    ) throws(ConfigurationError) -> AppleAccess {
        var apps: [BundleID: AppleAccess.App] = [:]
        for app in configuration.apps {
            apps[app.bundleId] = AppleAccess.App(
                appAppleId: app.appAppleId,
                key: try app.appStoreServer.map { key throws(ConfigurationError) in
                    try AppStoreServerKey(key, of: app.bundleId, home)
                },
                callsPerSecond: app.appStoreServer?.callsPerSecond,
                asksVerifyReceipt: app.verifyReceipt != nil,
                sharedSecret: app.verifyReceipt?.sharedSecret
            )
        }
        do {
            return try AppleAccess(
                apps: apps,
                partitions: configuration.partitions,
                serverAPI: configuration.appStore.map { AppleAddresses(simulator: $0) } ?? .serverAPI,
                verifyReceipt: configuration.appStore.map { AppleAddresses(simulator: $0, "/verifyReceipt") }
                    ?? .verifyReceipt
            )
        } catch {
            throw ConfigurationError(file: "counterfoil.json", problem: "\(error); get a new one")
        }
    }
}

extension AppStoreServerKey {
    fileprivate init(
        _ key: Configuration.AppStoreServer,
        of bundleID: BundleID,
        _ home: Home?
    ) throws(ConfigurationError) {
        let home = home ?? Home(root: ".")
        let member = "appStoreServer.privateKey of \(bundleID)"
        let pem = try home.contents(ofFile: home.path(key.privateKey), namedBy: member)
        self.init(
            issuerId: key.issuerId,
            keyId: key.keyId,
            bundleId: bundleID,
            pem: String(decoding: pem, as: UTF8.self)
        )
    }
}

extension AppleAddresses {
    /// The simulator's two environments are two paths.
    fileprivate init(simulator: String, _ path: String = "") {
        self.init(production: "\(simulator)/production\(path)", sandbox: "\(simulator)/sandbox\(path)")
    }
}

extension AppPolicy {
    fileprivate init(_ app: Configuration.App) {
        var apis: Set<AppleAPI> = []
        if app.appStoreServer != nil { apis.insert(.serverAPI) }
        if app.verifyReceipt != nil { apis.insert(.verifyReceipt) }
        self.init(
            appAppleId: app.appAppleId,
            environments: Set(app.environments),
            sandbox: app.sandbox,
            versions: app.versions.map(Set.init),
            apis: apis
        )
    }
}
