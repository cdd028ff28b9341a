package import Contracts
import Crypto
import FoundationEssentials

/// A token of a phone, signed here as an app's own server would: for tests and test homes.
package struct SignedPhoneToken: Hashable, Sendable {
    /// Most seconds from now to the end of a token that a gateway takes.
    package static let longestSeconds: Int64 = 86_400

    /// A compact JWS.
    package let text: String

    /// A token of a buyer until `expires`, under a key of HS256; nil if the key has no secret.
    package init?(
        of buyer: BuyerID,
        in bundle: BundleID,
        until expires: Timestamp,
        by key: Configuration.PhoneTokenKey
    ) {
        guard let secret = key.secret else { return nil }
        let header: JSONValue = .object([
            "alg": .string(key.algorithm.rawValue), "kid": .string(key.id), "typ": .string("JWT"),
        ])
        let claims: JSONValue = .object([
            "aud": .string(bundle.rawValue), "exp": .integer(expires.milliseconds / 1_000),
            "sub": .string(buyer.rawValue),
        ])
        self.init(header: header, claims: claims, secret: secret)
    }

    /// Any header and claims, signed with HMAC and SHA-256.
    package init?(header: JSONValue, claims: JSONValue, secret: String) {
        do {
            let parts = try [header, claims].map { Self.base64URL(Data(try EventCoder.encoder().encode($0))) }
            let signed = parts.joined(separator: ".")
            let key = SymmetricKey(data: Data(secret.utf8))
            let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
            text = signed + "." + Self.base64URL(Data(code))
        } catch {
            return nil
        }
    }

    private static func base64URL(_ bytes: Data) -> String {
        bytes.base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
    }
}
