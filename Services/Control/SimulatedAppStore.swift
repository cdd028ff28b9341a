import Crypto
import Foundation
import Program

/// An App Store that is only played: where it is, and a fresh key that Apple has never seen.
struct SimulatedAppStore {
    /// A URL without a slash at its end.
    let url: String
    /// What the configuration says of the key.
    let server: Configuration.AppStoreServer
    /// The key as App Store Connect hands one out: a P-256 private key, PKCS#8 in PEM.
    let pem: String

    /// The App Store at a URL, and a new key for it.
    init(url: String) {
        let keyID = String(HomeMaker.newSecret().prefix(10)).uppercased()
        self.url = url
        server = Configuration.AppStoreServer(
            issuerId: UUID().uuidString.lowercased(),
            keyId: keyID,
            privateKey: "AuthKey_\(keyID).p8"
        )
        pem = P256.Signing.PrivateKey().pemRepresentation
    }
}
