package import Contracts
import JWTKit
import NIOConcurrencyHelpers

/// What an app's owner gets from App Store Connect to ask the App Store Server API with.
package struct AppStoreServerKey: Sendable {
    /// The issuer's id, a UUID.
    package var issuerId: String
    /// The key's id, ten characters.
    package var keyId: String
    /// The app whose data is asked for.
    package var bundleId: BundleID
    /// The file that App Store Connect gives once: a P-256 private key, PKCS#8 in PEM.
    package var pem: String

    package init(issuerId: String, keyId: String, bundleId: BundleID, pem: String) {
        self.issuerId = issuerId
        self.keyId = keyId
        self.bundleId = bundleId
        self.pem = pem
    }
}

/// The key's file holds no P-256 private key; says nothing of what it does hold.
package struct UnusableKey: Error, Hashable, Sendable, CustomStringConvertible {
    package let keyId: String

    package var description: String { "the key \(keyId) is no P-256 private key in PEM" }
}

/// Signs the tokens that Apple asks for, and uses each one for as long as it lasts.
final class BearerTokens: Sendable {
    /// How long a token is valid, in ms; Apple takes up to an hour.
    static let lifetime: Int64 = 20 * 60_000
    /// A token is not used in its last so many ms, for calls under way and clocks that differ.
    static let margin: Int64 = 2 * 60_000

    private let key: AppStoreServerKey
    private let signingKey: ES256PrivateKey
    private let current = NIOLockedValueBox<Token?>(nil)

    init(_ key: AppStoreServerKey) throws(UnusableKey) {
        self.key = key
        do {
            signingKey = try ES256PrivateKey(pem: key.pem)
        } catch {
            throw UnusableKey(keyId: key.keyId)
        }
    }

    /// A token that is good for a call now.
    func token(now: Timestamp) async throws -> String {
        if let token = current.withLockedValue({ $0 }), token.isUsable(now: now) { return token.text }
        let token = Token(text: try await sign(now: now), issued: now)
        current.withLockedValue { $0 = token }
        return token.text
    }

    /// Forgets `token`, which Apple did not take: the next one is signed anew.
    func discard(_ token: String) {
        current.withLockedValue { current in
            if current?.text == token { current = nil }
        }
    }

    private func sign(now: Timestamp) async throws -> String {
        let id = JWKIdentifier(string: key.keyId)
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: signingKey, kid: id)
        let claims = Claims(
            iss: key.issuerId,
            iat: now.milliseconds / 1_000,
            exp: now.advanced(by: Self.lifetime).milliseconds / 1_000,
            bid: key.bundleId.rawValue
        )
        return try await keys.sign(claims, kid: id)
    }

    private struct Token {
        let text: String
        let issued: Timestamp

        /// A token from the future is none: the clock was put back, and Apple would not take it.
        func isUsable(now: Timestamp) -> Bool {
            issued <= now && now < issued.advanced(by: BearerTokens.lifetime - BearerTokens.margin)
        }
    }

    /// The payload that Apple documents; times in whole seconds.
    struct Claims: JWTPayload, Hashable {
        var iss: String
        var iat: Int64
        var exp: Int64
        var aud = "appstoreconnect-v1"
        var bid: String

        /// It is Apple who verifies it.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
