import Domain
import Program

/// What Entitlements needs to be told: the catalog, and nothing else.
struct EntitlementsConfiguration {
    let catalog: Catalog

    /// The configuration of a home.
    init(home: Home) throws(ConfigurationError) { catalog = try Catalog(of: home) }
}
