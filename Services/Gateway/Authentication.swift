import Contracts
import Crypto
import HTTPTypes
import Program

/// Who asks: a bearer key is valid for its own app only, and Apple's shared secret for hints about its own app.
///
/// Secrets are compared as SHA-256 digests, all of them each time, so that neither the time of a comparison nor the
/// number of comparisons says anything about a secret.
struct Authentication: Sendable {
    private static let scheme = "bearer "
    private let keys: [(digest: SHA256Digest, app: Configuration.App)]
    private let sharedSecrets: [BundleID: SHA256Digest]

    init(apps: [Configuration.App]) {
        keys = apps.flatMap { app in app.keys.map { (Self.digest($0.secret), app) } }
        let secrets = apps.compactMap { app in
            app.verifyReceipt?.sharedSecret.map { (app.bundleId, Self.digest($0)) }
        }
        sharedSecrets = Dictionary(secrets) { first, _ in first }
    }

    /// The app whose key the request carries; 401 when it carries none, or one that is not known.
    func app(_ headers: HTTPFields) throws(Problem) -> Configuration.App {
        guard let credentials = headers[.authorization],
            credentials.prefix(Self.scheme.count).lowercased() == Self.scheme
        else { throw .unauthorized }
        let digest = Self.digest(credentials.dropFirst(Self.scheme.count))
        var owner: Configuration.App?
        for key in keys where key.digest == digest { owner = key.app }
        guard let owner else { throw .unauthorized }
        return owner
    }

    /// Whether hints about an app are taken with this password.
    func isSharedSecret(_ password: String?, of bundle: BundleID) -> Bool {
        guard let digest = sharedSecrets[bundle], let password else { return false }
        return digest == Self.digest(password)
    }

    private static func digest(_ secret: some StringProtocol) -> SHA256Digest {
        SHA256.hash(data: Array(secret.utf8))
    }
}
