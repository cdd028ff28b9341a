import Contracts
import JWTKit
import Program

/// An app's own server, which makes tokens for its phones.
struct PhoneSigner: Sendable {
    static let secret = "phones-of-the-game-0123456789abcdef"
    static let es256 = ES256PrivateKey()
    static let edDSA = newEdDSAKey
    static let keyOfOtherApp = Configuration.PhoneTokenKey(
        id: "other",
        secret: "phones-of-another-app-0123456789abcdef"
    )

    /// A key of each algorithm.
    static let keys: [Configuration.PhoneTokenKey] = [
        .init(id: "hs", secret: secret),
        .init(id: "es", .es256, publicKey: es256.publicKey.pemRepresentation),
        .init(id: "ed", .edDSA, publicKey: edDSA?.publicKey.pemRepresentation ?? ""),
    ]

    private static var newEdDSAKey: EdDSA.PrivateKey? {
        do { return try EdDSA.PrivateKey() } catch { return nil }
    }

    struct Claims: JWTPayload {
        var aud = "com.example.game"
        var sub = "b1"
        /// Seconds since 1970: ten minutes after the time of a `TestGateway`.
        var exp: Int64 = 1_760_000_600
        var nbf: Int64?

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// A token under one of `keys`, by its id.
    static func token(_ claims: Claims = Claims(), by id: String) async throws -> String {
        let keys = JWTKeyCollection()
        switch id {
        case "es": await keys.add(ecdsa: es256)
        case "ed": if let edDSA { await keys.add(eddsa: edDSA) }
        default: await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        }
        return try await keys.sign(claims, kid: JWKIdentifier(string: id))
    }

    /// A token of HS256 with any header and any claims beside those of `Claims`; null takes one away.
    static func token(
        header: [String: JSONValue] = [:],
        claims: [String: JSONValue] = [:],
        secret: String = Self.secret
    ) -> String {
        let usual: [String: JSONValue] = [
            "aud": .string("com.example.game"), "sub": .string("b1"), "exp": .integer(1_760_000_600),
        ]
        let head: [String: JSONValue] = ["alg": .string("HS256"), "kid": .string("hs")]
        let token = SignedPhoneToken(
            header: .object(merged(head, header)),
            claims: .object(merged(usual, claims)),
            secret: secret
        )
        return token?.text ?? ""
    }

    private static func merged(
        _ usual: [String: JSONValue],
        _ other: [String: JSONValue]
    ) -> [String: JSONValue] {
        usual.merging(other) { $1 }.filter { $0.value != .null }
    }
}
