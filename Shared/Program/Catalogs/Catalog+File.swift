package import Domain
import FoundationEssentials

/// Catalogs in files: the one that people edit, and the loaded one that processes read.
extension Catalog {
    /// Reads and checks a file that people edit.
    package init(file: String) throws(ConfigurationError) {
        self = try Self.read(file, otherwise: "write it, or name another file")
    }

    /// Reads what `counterfoil catalog load` made the catalog of the home.
    package init(loadedIn home: Home) throws(ConfigurationError) {
        let advice = "no catalog is loaded; load \(home.catalogFile) with `counterfoil catalog load`"
        self = try Self.read(home.loadedCatalogFile, otherwise: advice)
    }

    package init(json: String) throws(ConfigurationError) {
        self = try ConfigurationFile.decode(Self.self, from: Data(json.utf8), file: "catalog.json")
    }

    private static func read(_ file: String, otherwise advice: String) throws(ConfigurationError) -> Catalog {
        let bytes = try ConfigurationFile.contents(file, otherwise: advice)
        return try ConfigurationFile.decode(Catalog.self, from: bytes, file: file)
    }
}
