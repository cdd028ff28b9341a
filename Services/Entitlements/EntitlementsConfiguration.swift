import Domain
import Program

struct EntitlementsConfiguration {
    let catalog: Catalog

    init(home: Home) throws(ConfigurationError) { catalog = try Catalog(of: home) }
}
