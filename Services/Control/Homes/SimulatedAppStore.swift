import Crypto
import FoundationEssentials
import Program

/// The URL of an App Store simulator, and a new key unknown to Apple.
struct SimulatedAppStore {
    let url: String
    let server: Configuration.AppStoreServer
    /// The key in the format of App Store Connect: a P-256 private key, PKCS#8 in PEM.
    let pem: String

    /// `url` has no trailing slash.
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
