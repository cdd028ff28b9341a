package import Contracts
import Database
package import Delivery
import FoundationEssentials

/// The folder of one running group: its configuration, sockets, stores and logs.
package struct Home: Hashable, Sendable {
    /// Linux's limit for the path of a Unix domain socket.
    package static let maximumSocketPathBytes = 107
    package static let environmentVariable = "COUNTERFOIL_HOME"
    /// The file of `HostKeys` in a home.
    package static let hostKeysName = "host.keys"

    /// Absolute, without a trailing slash.
    package let root: String
    /// Nil: each file is read when needed.
    package var snapshot: ConfigurationSnapshot?

    /// A relative path starts at the current folder.
    package init(root: String) {
        let absolute = URL(filePath: root).standardizedFileURL.path(percentEncoded: false)
        self.root = absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
    }

    /// The home from the option, else from `COUNTERFOIL_HOME`, else `~/.counterfoil/default`.
    package static func resolve(
        option: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Home {
        let named = [option, environment[environmentVariable]].compactMap(\.self).first { !$0.isEmpty }
        return Home(root: named ?? (environment["HOME"] ?? ".") + "/.counterfoil/default")
    }

    package var version: String { snapshot?.version ?? "" }

    package var configurationFile: String { root + "/counterfoil.json" }
    /// The catalog that people edit; no process of the group reads it.
    package var catalogFile: String { root + "/catalog.json" }
    /// The catalog that the processes read, as `counterfoil catalog load` wrote it.
    package var loadedCatalogFile: String { dataFolder + "/catalog.json" }
    /// Who may act on the group, as `counterfoil operator` wrote it.
    package var operatorsFile: String { root + "/operators.json" }
    package var runFolder: String { root + "/run" }
    package var dataFolder: String { root + "/data" }
    package var logFolder: String { root + "/log" }
    /// Held by the one `counterfoil up` of this home.
    package var upLock: String { runFolder + "/up.lock" }
    /// Held by the one `counterfoil backup` of this home.
    package var backupLock: String { runFolder + "/backup.lock" }
    /// There while a restore is at work, and after one that did not end.
    package var restoreMark: RestoreMark { RestoreMark(dataFolder: dataFolder) }
    /// The stores that were made in this home.
    package var storeRegister: StoreRegister { StoreRegister(dataFolder: dataFolder) }
    /// Where `counterfoil up` takes commands.
    package var upSocket: String { runFolder + "/up.sock" }
    /// Holds the gateway's URL.
    package var gatewayAddressFile: String { runFolder + "/gateway.address" }
    /// Holds the gateway's URL for operators.
    package var operationsAddressFile: String { runFolder + "/operations.address" }
    /// With this `counterfoil listen` signs webhooks of an app that has no secret of its own; in a test home only.
    package var listenSecretFile: String { root + "/listen.secret" }
    /// The secret keys with which this host speaks to others; see `HostKeys`.
    package var hostKeysFile: String { "\(root)/\(Self.hostKeysName)" }
    /// Written by `counterfoil init --test` only.
    package var testMarker: String { root + "/test-home" }

    /// Where the group's partitions listen while all programs are on this machine; see `wire(of:)`.
    package var endpoints: SocketFolder { SocketFolder(path: runFolder) }

    /// The folder of the locks of a service's replicas.
    package func memberFolder(of service: ServiceName) -> String {
        "\(runFolder)/members/\(service.rawValue)"
    }

    /// The path of a partition's store.
    package func store(of address: PartitionAddress) -> String {
        "\(dataFolder)/\(address.service.rawValue)/\(address.partition).sqlite"
    }

    /// `program` is a service or `gateway`.
    package func log(of program: String, replica: Int) -> String { "\(logFolder)/\(program).\(replica).log" }

    /// Made by `counterfoil init --test`: extra roots and crash points are allowed.
    package var isTest: Bool { FileManager.default.fileExists(atPath: testMarker) }

    /// A configured path may be relative to the home.
    package func path(_ written: String) -> String { written.hasPrefix("/") ? written : "\(root)/\(written)" }

    /// Refuses a home whose socket paths would be too long.
    package func checkSocketPaths(partitions: Int) throws(ConfigurationError) {
        let sockets =
            ServiceName.allCases.map { endpoints.path(of: PartitionAddress($0, partitions - 1)) } + [upSocket]
        let most = Self.maximumSocketPathBytes
        guard let longest = sockets.max(by: { $0.utf8.count < $1.utf8.count }), longest.utf8.count > most
        else { return }
        let problem =
            "a socket's path of \(longest.utf8.count) bytes is longer than the \(most) that Linux allows; choose "
            + "a home with a shorter path"
        throw ConfigurationError(file: longest, problem: problem)
    }

    /// Refuses a partition count that differs from that of the stores: keys would lead to other stores.
    ///
    /// Call it before a store is open.
    package func checkStores(partitions: Int) throws(ConfigurationError) {
        for service in ServiceName.allCases {
            for partition in stores(of: service) {
                try checkStore(PartitionIdentity(PartitionAddress(service, partition), of: partitions))
            }
        }
    }

    /// Refuses a home in which a restore did not end: stores may be missing, or older than the others.
    package func checkRestored() throws(ConfigurationError) {
        guard restoreMark.isSet else { return }
        throw ConfigurationError(file: restoreMark.path, problem: RestoreMark.problem)
    }

    /// Refuses a home that has lost a store.
    package func checkNoStoreIsMissing(partitions: Int) throws(ConfigurationError) {
        for service in ServiceName.allCases {
            for address in (0..<partitions).map({ PartitionAddress(service, $0) }) {
                let path = store(of: address)
                guard let problem = storeRegister.problem(with: address, at: path) else { continue }
                throw ConfigurationError(file: path, problem: problem)
            }
        }
    }

    /// Whether the group has run, so that something may have been sold.
    package var hasStores: Bool { ServiceName.allCases.contains { !stores(of: $0).isEmpty } }

    private func stores(of service: ServiceName) -> [Int] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "\(dataFolder)/\(service.rawValue)")
                .filter { $0.hasSuffix(".sqlite") }.compactMap { Int($0.dropLast(7)) }.sorted()
        } catch {
            return []  // nothing was made yet; what cannot be read is found when it is opened
        }
    }

    private func checkStore(_ wanted: PartitionIdentity) throws(ConfigurationError) {
        let path = store(of: wanted.address)
        let found: PartitionIdentity?
        do throws(StoreError) {
            found = try PartitionIdentity.labelled(path: path)
        } catch {
            throw ConfigurationError(file: path, problem: "\(error)")
        }
        guard let found, found != wanted else { return }
        guard found.address == wanted.address else {
            let problem = "is the store \(found.address), which has been moved here; put it back in its place"
            throw ConfigurationError(file: path, problem: problem)
        }
        let problem =
            "is \(wanted.partitions), but \(path) was made as one of \(found.partitions), which cannot be changed; "
            + "set it back to \(found.partitions)"
        throw ConfigurationError(file: configurationFile, member: "partitions", problem: problem)
    }

    /// Makes missing folders, accessible by the owner only.
    package func makeFolders() throws(ConfigurationError) {
        let folders =
            [root, runFolder, dataFolder, logFolder]
            + ServiceName.allCases.flatMap {
                ["\(runFolder)/\($0.rawValue)", memberFolder(of: $0), "\(dataFolder)/\($0.rawValue)"]
            }
        for folder in folders {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                let reason = FileAccess.reason(folder) ?? "\(error)"
                throw ConfigurationError(file: folder, problem: "cannot be made: \(reason)")
            }
        }
    }
}
