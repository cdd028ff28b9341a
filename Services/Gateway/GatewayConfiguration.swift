import Contracts
import Domain
import Program

/// What the gateway takes of its home's configuration.
struct GatewayConfiguration: Sendable {
    let partitions: Int
    let http: Configuration.HTTP
    let apps: [Configuration.App]
    let catalog: Catalog
    /// Whether the home was made for tests; `/readyz` says so loudly.
    let isTestHome: Bool
    /// How many root certificates beside Apple's are trusted.
    let extraRoots: Int
    /// What tells this configuration from others, in `/metrics`.
    let version: String

    /// What a configuration and a catalog say.
    init(_ configuration: Configuration, catalog: Catalog, isTestHome: Bool, version: String = "") {
        partitions = configuration.partitions
        http = configuration.http
        apps = configuration.apps
        self.catalog = catalog
        self.isTestHome = isTestHome
        extraRoots = configuration.extraRoots.count
        self.version = version
    }
}
