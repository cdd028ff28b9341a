import Contracts
import Delivery
import Domain
import FoundationEssentials
import Glibc
import Program

/// Checks a catalog that people edit, and makes it the loaded one, which processes read.
struct CatalogLoader {
    let home: Home
    /// Products whose type was a mistake: what the loaded catalog says of them does not count.
    var corrected: Set<ProductID> = []

    /// What a check or a load found.
    struct Result: Equatable {
        let catalog: Catalog
        /// The version of the loaded one before; nil when none was loaded.
        let before: String?
        /// What differs from the loaded one, one line each.
        let differences: [String]

        var isSame: Bool { before == catalog.version }
    }

    /// Checks a file by itself, and against the loaded catalog.
    ///
    /// Before the group has run for the first time nothing can have been sold, and the loaded one does not count.
    ///
    /// - Throws: `ConfigurationError`; `CatalogRefusal` when it cannot take the place of the loaded one.
    func check(_ file: String) throws -> Result {
        let catalog = try Catalog(file: file)
        guard FileManager.default.fileExists(atPath: home.loadedCatalogFile) else {
            return Result(catalog: catalog, before: nil, differences: [])
        }
        let loaded = try Catalog(loadedIn: home)
        let change = CatalogChange(from: loaded, to: catalog, correcting: corrected)
        if home.hasStores, !change.refusals.isEmpty {
            throw CatalogRefusal(file: file, version: loaded.version, refusals: change.refusals)
        }
        return Result(catalog: catalog, before: loaded.version, differences: change.differences)
    }

    /// Makes the catalog of a file the loaded one, whole or not at all.
    ///
    /// - Throws: as `check`; `CommandFailure` when another load is at work; `SystemFault`.
    func load(_ file: String) throws -> Result {
        try checkOwner()
        try home.makeFolders()
        let folder = try Descriptor.open(home.dataFolder, O_RDONLY | O_DIRECTORY)
        // Held until the new one is in place: each load is compared with the one before.
        guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(description: "another `counterfoil catalog load` is at work; try again")
        }
        let crash = home.crashSwitch(of: "catalog")
        return try withExtendedLifetime(folder) {
            crash.reach(.catalogLocked)
            let group = try home.groupCatalog()
            let newest = try group?.newest()
            if let newest { try DurableFile.replace(home.loadedCatalogFile, with: newest.bytes) }
            let result = try check(file)
            if result.isSame, group == nil || newest != nil { return result }
            let bytes = try home.encoded(result.catalog)
            if let group, try !group.publish(bytes, after: newest?.number ?? 0) {
                throw CommandFailure(description: "another host has loaded a catalog just now; try again")
            }
            try DurableFile.replace(home.loadedCatalogFile, with: bytes) { step in
                crash.reach(step.crashPoint)
            }
            return result
        }
    }

    private func checkOwner() throws(ConfigurationError) {
        let advice = "is no home; make one with `counterfoil init`, or correct --home"
        let isHome = FileManager.default.fileExists(atPath: home.root)
        if let problem = isHome ? FileAccess.ownershipProblem(home.root) : advice {
            throw ConfigurationError(file: home.root, problem: problem)
        }
    }
}

extension DurableFile.Step {
    /// Where a load ends when a test wants it to end after this step.
    fileprivate var crashPoint: CrashPoint {
        switch self {
        case .opened: .catalogOpened
        case .written: .catalogWritten
        case .synchronized: .catalogSynced
        case .renamed: .catalogReplaced
        }
    }
}

extension Home {
    /// How files of the home are written: for people, and the same for the same content.
    func encoded(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }
}
