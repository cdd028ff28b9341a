import AppStoreSigning
import Contracts
import Crypto
import Foundation

/// The token that a caller of the App Store Server API makes for itself: a JWT signed with ES256.
struct BearerToken {
    static let maximumLife: Double = 3_600
    /// Seconds by which the caller's clock may be ahead.
    static let clockSkew: Double = 60

    private struct Header: Decodable {
        let alg: String
        let kid: String
        let typ: String
    }

    private struct Claims: Decodable {
        let iss: String
        /// Absent in tokens of Apple's own library for Python.
        let iat: Double?
        let exp: Double
        let aud: String
        let bid: String
    }

    let keyId: String
    let issuerId: String
    let bundleId: String
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Nil when `authorization` carries no token that Apple would look at at this time.
    init?(authorization: String?, at now: Timestamp) {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return nil }
        let parts = authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header: Header = Self.decode(parts[0]),
            let claims: Claims = Self.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
            header.alg == "ES256", header.typ == "JWT", !header.kid.isEmpty, !claims.iss.isEmpty,
            claims.aud == "appstoreconnect-v1"
        else { return nil }
        let seconds = Double(now.milliseconds) / 1_000
        let issued = claims.iat ?? seconds
        guard claims.exp > seconds, claims.exp - issued <= Self.maximumLife,
            issued <= seconds + Self.clockSkew
        else { return nil }
        keyId = header.kid
        issuerId = claims.iss
        bundleId = claims.bid
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    func isSigned(by key: AppDirectory.Key) -> Bool {
        guard key.issuerId == nil || key.issuerId == issuerId else { return false }
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            return key.publicKey.isValidSignature(signature, for: signed)
        } catch {
            return false
        }
    }

    private static func decode<Part: Decodable>(_ text: Substring) -> Part? {
        guard let bytes = Base64URL.decode(text) else { return nil }
        do { return try JSONDecoder().decode(Part.self, from: Data(bytes)) } catch { return nil }
    }
}
