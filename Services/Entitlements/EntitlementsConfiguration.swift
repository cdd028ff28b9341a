import Domain
import Program

/// What Entitlements has to know: the catalog, and nothing else.
struct EntitlementsConfiguration {
    let catalog: Catalog

    /// The configuration of a home.
    init(home: Home) throws(ConfigurationError) { catalog = try Catalog(of: home) }
}
