import Contracts
import Crypto
import Domain
import FoundationEssentials
import Glibc
import Program

struct HomeInitializer {
    let home: Home
    let isTest: Bool
    /// What can be bought; an example in the first home of a group.
    var catalog = HomeInitializer.exampleCatalog

    /// 256 random bits, in hexadecimal.
    static func newSecret() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.hexadecimal
        }
    }

    /// Writes folders and files, checked before and read back after; a failure removes what it wrote.
    ///
    /// Of several processes that make one home at once one does, and the others leave it alone.
    ///
    /// The names of further files are relative to the home. `elsewhere` makes what the home has outside of it, once all
    /// that can be refused here is checked; without it no program of the home starts.
    ///
    /// - Throws: `ConfigurationError` when a home exists already or is being made, or a value is not acceptable.
    func make(
        _ configuration: Configuration,
        with files: [String: Data] = [:],
        elsewhere: () throws -> Void = {}
    ) throws {
        try checkIsNew()
        try home.checkSocketPaths(partitions: configuration.partitions)
        let text = try home.encoded(configuration)
        _ = try Configuration(json: String(decoding: text, as: UTF8.self), isTest: isTest)
        let before = try Set(existing())
        try withExtendedLifetime(try lock(after: before)) {
            // Another process may have made it since.
            try checkIsNew()
            do {
                if isTest { try write(Data(), to: home.testMarker) }
                for (name, bytes) in files {
                    let file = URL(filePath: home.path(name))
                    let folder = file.deletingLastPathComponent()
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try write(bytes, to: file.path(percentEncoded: false))
                }
                try write(home.encoded(catalog), to: home.catalogFile)
                _ = try CatalogLoader(home: home).load(home.catalogFile)
                // A folder with a configuration counts as a home.
                try write(text, to: home.configurationFile)
                _ = try ConfigurationSnapshot(of: home)
                // Last: nothing takes it back.
                try elsewhere()
            } catch {
                try removeAll(but: before)
                throw error
            }
        }
    }

    private func checkIsNew() throws(ConfigurationError) {
        for file in [home.configurationFile, home.catalogFile]
        where FileManager.default.fileExists(atPath: file) {
            let problem = "is there already; choose another --home, or remove this one first"
            throw ConfigurationError(file: file, problem: problem)
        }
    }

    /// Makes the folders, and takes the lock that `counterfoil up` will hold.
    private func lock(after before: Set<String>) throws -> HeldLocks {
        do throws(ConfigurationError) {
            try home.makeFolders()
        } catch {
            for path in try made(after: before) { rmdir(path) }
            throw error
        }
        let problem = "is held: another `counterfoil init` or `join` is making this home; wait for its end"
        return try HeldLocks([home.upLock], otherwise: problem)
    }

    /// In the home and above it.
    private func existing() throws -> [String] {
        var found: [String] = []
        var path = home.root
        while let slash = path.lastIndex(of: "/") {
            if FileManager.default.fileExists(atPath: path) { found.append(path) }
            path = String(path[..<slash])
        }
        guard found.first == home.root else { return found }
        return found
            + (try FileManager.default.subpathsOfDirectory(atPath: home.root)).map { "\(home.root)/\($0)" }
    }

    /// What was not there before, deepest paths first.
    private func made(after before: Set<String>) throws -> [String] {
        try existing().filter { !before.contains($0) }.sorted(by: >)
    }

    /// The lock and the folders above it come last: from then on another process may make the home.
    private func removeAll(but before: Set<String>) throws {
        let made = try made(after: before)
        let last = made.filter { home.upLock == $0 || home.upLock.hasPrefix("\($0)/") }
        for path in made where !last.contains(path) { try FileManager.default.removeItem(atPath: path) }
        // A folder that has something in it by then is the other one's, and stays.
        for path in last { remove(path) }
    }

    private static var exampleCatalog: Catalog {
        Catalog(products: [
            .init(
                productId: ProductID(unchecked: "coins.120"),
                type: .consumable,
                grants: [.init(entitlement: "coins", amount: 120)]
            ),
            .init(
                productId: ProductID(unchecked: "pro.lifetime"),
                type: .nonConsumable,
                grants: [.init(entitlement: "pro")]
            ),
        ])
    }

    /// Creates the file with owner-only permissions, so that its content is never readable by others.
    private func write(_ bytes: Data, to file: String) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file, contents: nil, attributes: attributes) else {
            let reason = FileAccess.reason(file) ?? "check the free space on its disk"
            throw ConfigurationError(file: file, problem: "cannot be written: \(reason)")
        }
        try DurableFile.write(bytes, to: file)
    }
}
