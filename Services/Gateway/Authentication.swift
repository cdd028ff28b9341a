import Contracts
import Crypto
import HTTPTypes
import Program

/// Authenticates apps by their bearer key, and notification hints by Apple's shared secret.
///
/// Every secret is compared, as its SHA-256 digest, so that timing says nothing about a secret.
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

    /// The app whose key the request carries; 401 without a known key.
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

    func isSharedSecret(_ password: String?, of bundle: BundleID) -> Bool {
        guard let digest = sharedSecrets[bundle], let password else { return false }
        return digest == Self.digest(password)
    }

    private static func digest(_ secret: some StringProtocol) -> SHA256Digest {
        SHA256.hash(data: Array(secret.utf8))
    }
}
