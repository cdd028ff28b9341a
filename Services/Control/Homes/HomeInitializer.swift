import Contracts
import Crypto
import Domain
import FoundationEssentials
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
    /// The names of further files are relative to the home. `elsewhere` makes what the home has outside of it, once all
    /// that can be refused here is checked; without it no program of the home starts.
    ///
    /// - Throws: `ConfigurationError` when a home exists already, or a value is not acceptable.
    func make(
        _ configuration: Configuration,
        with files: [String: Data] = [:],
        elsewhere: () throws -> Void = {}
    ) throws {
        for file in [home.configurationFile, home.catalogFile]
        where FileManager.default.fileExists(atPath: file) {
            let problem = "is there already; choose another --home, or remove this one first"
            throw ConfigurationError(file: file, problem: problem)
        }
        try home.checkSocketPaths(partitions: configuration.partitions)
        let text = try home.encoded(configuration)
        _ = try Configuration(json: String(decoding: text, as: UTF8.self), isTest: isTest)
        let before = try Set(existing())
        do {
            try home.makeFolders()
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

    /// Deepest paths first.
    private func removeAll(but before: Set<String>) throws {
        for path in try existing().sorted(by: >) where !before.contains(path) {
            try FileManager.default.removeItem(atPath: path)
        }
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
