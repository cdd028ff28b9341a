import Contracts
import Crypto
import HTTPTypes
import Program

/// Who asks: each bearer key opens the edge for its own app only.
///
/// Keys are compared as SHA-256 digests, all of them each time, so that neither the time of a comparison nor the
/// number of comparisons says anything about a secret.
struct Authentication: Sendable {
    private struct Key: Sendable {
        let digest: SHA256Digest
        let app: Configuration.App
    }

    private static let scheme = "bearer "
    private let keys: [Key]

    /// The keys of these apps.
    init(apps: [Configuration.App]) {
        keys = apps.flatMap { app in
            app.keys.map { Key(digest: Self.digest($0.secret.utf8), app: app) }
        }
    }

    /// The app whose key the request carries.
    ///
    /// - Throws: `Problem` 401 when it carries none, or one that is not known.
    func app(_ headers: HTTPFields) throws(Problem) -> Configuration.App {
        guard let credentials = headers[.authorization],
            credentials.prefix(Self.scheme.count).lowercased() == Self.scheme
        else { throw .unauthorized }
        let digest = Self.digest(credentials.utf8.dropFirst(Self.scheme.utf8.count))
        var owner: Configuration.App?
        for key in keys where key.digest == digest { owner = key.app }
        guard let owner else { throw .unauthorized }
        return owner
    }

    private static func digest(_ secret: some Sequence<UInt8>) -> SHA256Digest {
        SHA256.hash(data: Array(secret))
    }
}
