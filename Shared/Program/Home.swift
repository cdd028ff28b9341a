package import Contracts
import Database
import Delivery
import Foundation

/// The folder of one running group: its configuration, sockets, stores and logs.
package struct Home: Hashable, Sendable {
    /// The longest path that a Unix domain socket can have on Linux, in bytes.
    package static let maximumSocketPathBytes = 107
    /// The variable that names the home when no option does.
    package static let environmentVariable = "COUNTERFOIL_HOME"

    /// The absolute path, without a slash at its end.
    package let root: String
    /// What all programs of the group run with; nil reads each file when it is needed.
    package var snapshot: ConfigurationSnapshot?

    /// The home at a path; a relative one begins at the current folder.
    package init(root: String) {
        let absolute = URL(filePath: root).standardizedFileURL.path(percentEncoded: false)
        self.root = absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
    }

    /// The home that an option names, else `COUNTERFOIL_HOME`, else `~/.counterfoil/default`.
    package static func resolve(
        option: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Home {
        let named = [option, environment[environmentVariable]].compactMap(\.self).first { !$0.isEmpty }
        return Home(root: named ?? (environment["HOME"] ?? ".") + "/.counterfoil/default")
    }

    /// The version of the snapshot; empty without one.
    package var version: String { snapshot?.version ?? "" }

    package var configurationFile: String { root + "/counterfoil.json" }
    package var catalogFile: String { root + "/catalog.json" }
    package var runFolder: String { root + "/run" }
    package var dataFolder: String { root + "/data" }
    package var logFolder: String { root + "/log" }
    /// Held by the one `counterfoil up` of this home.
    package var upLock: String { runFolder + "/up.lock" }
    /// Where a running `counterfoil up` takes commands.
    package var upSocket: String { runFolder + "/up.sock" }
    /// Holds the URL at which the gateway listens.
    package var gatewayAddressFile: String { runFolder + "/gateway.address" }
    /// Holds the URL at which the gateway answers operators.
    package var operationsAddressFile: String { runFolder + "/operations.address" }
    /// Written by `counterfoil init --test` only.
    package var testMarker: String { root + "/test-home" }

    /// The endpoint of a partition.
    package func socket(of address: PartitionAddress) -> String {
        "\(runFolder)/\(address.service.rawValue)/\(address.partition).sock"
    }

    /// The locks of a service's replicas.
    package func memberFolder(of service: ServiceName) -> String {
        "\(runFolder)/members/\(service.rawValue)"
    }

    /// The lock that a living replica holds.
    package func memberLock(of service: ServiceName, replica: Int) -> String {
        "\(memberFolder(of: service))/\(replica).lock"
    }

    /// The store of a partition.
    package func store(of address: PartitionAddress) -> String {
        "\(dataFolder)/\(address.service.rawValue)/\(address.partition).sqlite"
    }

    /// The lock of a partition's store; whoever opens the store takes it first.
    package func storeLock(of address: PartitionAddress) -> String { store(of: address) + ".lock" }

    /// The log of a replica; `program` is a service or `gateway`.
    package func log(of program: String, replica: Int) -> String { "\(logFolder)/\(program).\(replica).log" }

    /// Whether the home was made by `counterfoil init --test`: extra roots and crash points are allowed.
    package var isTest: Bool { FileManager.default.fileExists(atPath: testMarker) }

    /// A path of the configuration, which may be relative to the home.
    package func path(_ written: String) -> String { written.hasPrefix("/") ? written : "\(root)/\(written)" }

    /// Refuses a home whose sockets would have paths longer than a socket may have.
    ///
    /// - Throws: `ConfigurationError` that names the longest path.
    package func checkSocketPaths(partitions: Int) throws(ConfigurationError) {
        let sockets =
            ServiceName.allCases.map { socket(of: PartitionAddress($0, partitions - 1)) } + [upSocket]
        let most = Self.maximumSocketPathBytes
        guard let longest = sockets.max(by: { $0.utf8.count < $1.utf8.count }), longest.utf8.count > most
        else { return }
        throw ConfigurationError(
            file: longest,
            problem: "a socket's path of \(longest.utf8.count) bytes is longer than the \(most) that Linux "
                + "allows; choose a home with a shorter path"
        )
    }

    /// Refuses a number of partitions with which the home's stores were not made: keys would lead to other stores.
    ///
    /// For programs that have no store open yet.
    ///
    /// - Throws: `ConfigurationError` that names the store.
    package func checkStores(partitions: Int) throws(ConfigurationError) {
        for service in ServiceName.allCases {
            for partition in stores(of: service) {
                try checkStore(PartitionIdentity(PartitionAddress(service, partition), of: partitions))
            }
        }
    }

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

    /// Makes the folders that are not there yet, open to their owner only.
    ///
    /// - Throws: `ConfigurationError` when one cannot be made.
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
