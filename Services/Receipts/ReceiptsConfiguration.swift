import Contracts
import Program
import ReceiptsCore

/// What the service needs of the home's configuration.
struct ReceiptsConfiguration: Equatable {
    let policies: [BundleID: AppPolicy]
    /// The DER of root certificates that are trusted beside Apple's; only a test home has any.
    let extraRoots: [[UInt8]]

    init(home: Home) throws(ConfigurationError) {
        let configuration = try Configuration(of: home)
        let roots = try configuration.extraRoots.map { path throws(ConfigurationError) in
            try RootCertificates.read(home.path(path))
        }
        self.init(configuration, extraRoots: roots.flatMap(\.self))
    }

    init(_ configuration: Configuration, extraRoots: [[UInt8]] = []) {
        let apps = configuration.apps.map { ($0.bundleId, AppPolicy($0)) }
        policies = Dictionary(apps, uniquingKeysWith: { first, _ in first })
        self.extraRoots = extraRoots
    }
}

extension AppPolicy {
    fileprivate init(_ app: Configuration.App) {
        let sandbox: Sandbox =
            switch app.sandbox {
            case .refuse: .refuse
            case .separate: .separate
            case .grantTo(let buyers): .grantTo(Set(buyers))
            }
        self.init(environments: Set(app.environments), sandbox: sandbox)
    }
}
