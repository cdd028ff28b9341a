import Contracts
import Crypto
package import FoundationEssentials
import Glibc

/// Configuration, and the key and certificate files that it names, read once.
///
/// `counterfoil up` gives the same bytes to every program that it starts or restarts. Changed files take
/// effect everywhere with `counterfoil restart`. A program under systemd reads the files itself.
/// All report the version they run with. The catalog is no part of it: see `CatalogFollower`.
package struct ConfigurationSnapshot: Codable, Hashable, Sendable {
    /// Holds the number of the inherited descriptor from which a snapshot is read.
    package static let environmentVariable = "COUNTERFOIL_CONFIGURATION_FD"
    private static let versionDigits = 12

    /// By path; files in the home by their path relative to it.
    fileprivate let files: [String: Data]

    /// Reads and checks the files of a home.
    package init(of home: Home) throws(ConfigurationError) {
        var home = home
        home.snapshot = nil
        let file = home.configurationFile
        var files = [home.pathInside(file): try home.contents(ofFile: file)]
        home.snapshot = ConfigurationSnapshot(files: files)
        let configuration = try Configuration(of: home)
        home.snapshot = nil
        if configuration.wire != nil {
            files[home.pathInside(home.hostKeysFile)] = try home.contents(ofFile: home.hostKeysFile)
        }
        for (member, written) in configuration.namedFiles {
            let file = home.path(written)
            files[home.pathInside(file)] = try home.contents(ofFile: file, namedBy: member)
        }
        self.init(files: files)
    }

    private init(files: [String: Data]) { self.files = files }

    /// The snapshot inherited from `counterfoil up`; nil without one.
    package init?(environment: [String: String]) throws(ConfigurationError) {
        guard let written = environment[Self.environmentVariable] else { return nil }
        do {
            guard let descriptor = Int32(written), descriptor > STDERR_FILENO else {
                throw CocoaError(.fileReadUnknown)
            }
            // Opened anew: siblings share the descriptor's position, so none may move it.
            let bytes = try Data(contentsOf: URL(filePath: "/proc/self/fd/\(descriptor)"))
            self = try JSONDecoder().decode(Self.self, from: bytes)
        } catch {
            let problem =
                "holds no configuration; start this program by `counterfoil up`, or without the variable"
            throw ConfigurationError(file: Self.environmentVariable, problem: problem)
        }
    }

    /// A digest of the files, the same in every program that has them, on every host.
    package var version: String {
        var hash = SHA256()
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) where path != Home.hostKeysName {
            // Lengths keep the parts apart.
            hash.update(data: Data("\(path.utf8.count):\(path)\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        let digits = hash.finalize().hexadecimal
        return String(digits.prefix(Self.versionDigits))
    }
}

extension Configuration {
    /// The files that it names, each with the naming member.
    fileprivate var namedFiles: [(member: String, file: String)] {
        let keys = apps.enumerated().compactMap { index, app in
            app.appStoreServer.map { ("apps[\(index)].appStoreServer.privateKey", $0.privateKey) }
        }
        return extraRoots.enumerated().map { ("extraRoots[\($0)]", $1) } + keys
    }

    /// The same, and those that a program reads by itself, because they may change while it runs.
    package var allFiles: [(member: String, file: String)] {
        let sets = apps.enumerated().compactMap { index, app in
            app.phoneTokens?.jwks.map { ("apps[\(index)].phoneTokens.jwks", $0) }
        }
        return namedFiles + sets + [store?.passwordFile].compactMap(\.self).map { ("store.passwordFile", $0) }
    }
}

extension Home {
    /// The files that hold secrets: the configuration, what it names, and that of `counterfoil listen`.
    package func secretFiles(of configuration: Configuration) -> [String] {
        let keys = Set(configuration.apps.compactMap(\.appStoreServer?.privateKey))
        let passwords = [configuration.store?.passwordFile].compactMap(\.self)
        let named = (passwords + keys).map { path($0) }
        return [configurationFile, listenSecretFile, hostKeysFile] + named.sorted()
    }

    /// The path relative to the home, if inside it: the same wherever the home is mounted.
    fileprivate func pathInside(_ file: String) -> String {
        file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : file
    }

    /// This home with the inherited snapshot, else with its files as they are now.
    package func withSnapshot(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> Home {
        var home = self
        let inherited = try ConfigurationSnapshot(environment: environment)
        home.snapshot = if let inherited { inherited } else { try ConfigurationSnapshot(of: self) }
        return home
    }

    /// The content of a file of the home, or of one that its configuration names, as in the snapshot.
    package func contents(
        ofFile file: String,
        namedBy member: String? = nil,
        otherwise advice: String = "make a home with `counterfoil init`"
    ) throws(ConfigurationError) -> Data {
        if let bytes = snapshot?.files[pathInside(file)] { return bytes }
        let named = member.map { "\($0) of counterfoil.json names it" }
        return try ConfigurationFile.contents(
            file,
            otherwise: named ?? advice,
            note: named.map { "; \($0)" } ?? ""
        )
    }
}
