import Contracts
import Crypto
import Foundation
import Program

/// Makes a home where none is.
struct HomeMaker {
    let home: Home
    let isTest: Bool

    /// A secret of 256 random bits, in hexadecimal.
    static func newSecret() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Writes folders and files; what is written is read back, so that a home that was made can be run.
    ///
    /// - Parameters:
    ///   - configuration: what the home's configuration says.
    ///   - roots: root certificates that are copied into the home.
    ///   - appStore: an App Store whose key is written into the home.
    /// - Throws: `ConfigurationError` when there is a home already, or a value is not acceptable.
    func make(
        _ configuration: Configuration,
        copying roots: [String],
        appStore: SimulatedAppStore? = nil
    ) throws {
        for file in [home.configurationFile, home.catalogFile] {
            guard !FileManager.default.fileExists(atPath: file) else {
                let problem = "is there already; choose another --home, or remove this one first"
                throw ConfigurationError(file: file, problem: problem)
            }
        }
        try home.checkSocketPaths(partitions: configuration.partitions)
        try home.makeFolders()
        if isTest { try write(Data(), to: home.testMarker) }
        try copy(roots)
        var written = [home.catalogFile, home.configurationFile]
        if let appStore {
            let file = home.path(appStore.server.privateKey)
            try write(Data(appStore.pem.utf8), to: file)
            written.append(file)
        }
        try write(encoded(Self.exampleCatalog), to: home.catalogFile)
        try write(encoded(configuration), to: home.configurationFile)
        do {
            _ = try (Configuration(of: home), Catalog(of: home))
        } catch {
            for file in written { try FileManager.default.removeItem(atPath: file) }
            throw error
        }
    }

    /// Two products to begin with: one that is counted, one that is possessed.
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

    private func copy(_ roots: [String]) throws {
        guard !roots.isEmpty else { return }
        let folder = home.path("roots")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for root in roots {
            guard let bytes = FileManager.default.contents(atPath: root) else {
                throw ConfigurationError(file: root, problem: "cannot be read; correct --extra-root")
            }
            try write(bytes, to: folder + "/" + URL(filePath: root).lastPathComponent)
        }
    }

    private func encoded(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }

    /// Writes a file that only its owner may read, from its first byte on.
    private func write(_ bytes: Data, to file: String) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file, contents: nil, attributes: attributes) else {
            throw ConfigurationError(
                file: file,
                problem: "cannot be written; check the owner and mode of its folder"
            )
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.write(contentsOf: bytes)
        try handle.synchronize()
        try handle.close()
    }
}
