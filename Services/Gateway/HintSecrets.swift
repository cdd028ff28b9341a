import Contracts
import Crypto
import Program

/// Apple's shared secrets of the apps that have one: who does not know it has no hint to give.
///
/// Secrets are compared as SHA-256 digests, so that the time of a comparison says nothing about them.
struct HintSecrets: Sendable {
    private let digests: [BundleID: SHA256Digest]

    /// The secrets of these apps.
    init(apps: [Configuration.App]) {
        let secrets = apps.compactMap { app in
            app.verifyReceipt?.sharedSecret.map { (app.bundleId, Self.digest($0)) }
        }
        digests = Dictionary(secrets, uniquingKeysWith: { first, _ in first })
    }

    /// Whether hints about an app are taken with this password.
    func opens(_ bundleID: BundleID, _ password: String?) -> Bool {
        guard let digest = digests[bundleID], let password else { return false }
        return digest == Self.digest(password)
    }

    private static func digest(_ secret: String) -> SHA256Digest { SHA256.hash(data: Array(secret.utf8)) }
}
