package import Contracts
import JWTKit

/// An app's App Store Connect key for the App Store Server API.
package struct AppStoreServerKey: Sendable {
    package var issuerId: String
    package var keyId: String
    package var bundleId: BundleID
    /// The downloaded P-256 private key, PKCS#8 in PEM.
    package var pem: String

    package init(issuerId: String, keyId: String, bundleId: BundleID, pem: String) {
        self.issuerId = issuerId
        self.keyId = keyId
        self.bundleId = bundleId
        self.pem = pem
    }
}
