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

/// The file holds no P-256 private key; its content is not shown.
package struct UnusableKey: Error, Hashable, Sendable, CustomStringConvertible {
    package let keyId: String

    package var description: String { "the key \(keyId) is no P-256 private key in PEM" }
}
