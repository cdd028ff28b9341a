import Contracts
import JWTKit
import NIOConcurrencyHelpers

final class BearerTokens: Sendable {
    /// Ms; Apple accepts up to an hour.
    static let lifetime: Int64 = 20 * 60_000
    /// Ms before expiry when use ends, for calls in flight and clock differences.
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

    func token(now: Timestamp) async throws -> String {
        if let token = current.withLockedValue({ $0 }), token.isUsable(now: now) { return token.text }
        let token = Token(text: try await sign(now: now), issued: now)
        current.withLockedValue { $0 = token }
        return token.text
    }

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

        /// A token from the future is unusable: the clock moved backwards.
        func isUsable(now: Timestamp) -> Bool {
            issued <= now && now < issued.advanced(by: BearerTokens.lifetime - BearerTokens.margin)
        }
    }

    /// As Apple documents; times in seconds.
    struct Claims: JWTPayload, Hashable {
        var iss: String
        var iat: Int64
        var exp: Int64
        var aud = "appstoreconnect-v1"
        var bid: String

        /// Only Apple verifies it.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
