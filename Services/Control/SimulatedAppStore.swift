import Crypto
import Foundation
import Program

/// An App Store simulator: its URL, and a new key that Apple does not know.
struct SimulatedAppStore {
    let url: String
    let server: Configuration.AppStoreServer
    /// The key as App Store Connect hands one out: a P-256 private key, PKCS#8 in PEM.
    let pem: String

    /// `url` has no slash at its end.
    init(url: String) {
        let keyID = String(HomeInitializer.newSecret().prefix(10)).uppercased()
        self.url = url
        server = Configuration.AppStoreServer(
            issuerId: UUID().uuidString.lowercased(),
            keyId: keyID,
            privateKey: "AuthKey_\(keyID).p8"
        )
        pem = P256.Signing.PrivateKey().pemRepresentation
    }
}
