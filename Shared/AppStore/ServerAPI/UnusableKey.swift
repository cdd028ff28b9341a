import JWTKit

/// The file holds no P-256 private key; its content is not shown.
package struct UnusableKey: Error, Hashable, Sendable, CustomStringConvertible {
    package let keyId: String

    package var description: String { "the key \(keyId) is no P-256 private key in PEM" }
}
