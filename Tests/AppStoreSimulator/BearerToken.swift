import Contracts
import Crypto
import Foundation
import JWTKit

/// The token that a caller of the App Store Server API makes for itself: a JWT signed with ES256.
struct BearerToken {
    /// Longest life of a token in seconds, from `iat` to `exp`.
    static let maximumLife: Double = 3_600
    /// Seconds by which the caller's clock may be ahead.
    static let clockSkew: Double = 60

    private struct Claims: JWTPayload {
        let iss: String
        /// Absent in tokens of Apple's own library for Python.
        let iat: Double?
        let exp: Double
        let aud: String
        let bid: String

        /// `BearerToken` has the store's clock.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    let keyId: String
    private let claims: Claims
    private let signed: [UInt8]
    private let signature: Data

    var bundleId: String { claims.bid }

    /// Nil when `authorization` carries no token that Apple would accept at this time.
    init?(authorization: String?, at now: Timestamp) {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return nil }
        let token = Array(authorization.dropFirst(7).utf8)
        do {
            let (header, claims, signature) = try DefaultJWTParser().parse(token, as: Claims.self)
            guard header.alg == "ES256", header.typ == "JWT", let keyId = header.kid, !keyId.isEmpty,
                !claims.iss.isEmpty, claims.aud == "appstoreconnect-v1"
            else { return nil }
            let seconds = Double(now.milliseconds) / 1_000
            let issued = claims.iat ?? seconds
            guard claims.exp > seconds, claims.exp - issued <= Self.maximumLife,
                issued <= seconds + Self.clockSkew
            else { return nil }
            self.keyId = keyId
            self.claims = claims
            self.signature = signature
            signed = Array(token[..<(token.lastIndex(of: UInt8(ascii: ".")) ?? 0)])
        } catch {
            return nil
        }
    }

    func isSigned(by key: AppDirectory.Key) -> Bool {
        guard key.issuerId == nil || key.issuerId == claims.iss else { return false }
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            return key.publicKey.isValidSignature(signature, for: signed)
        } catch {
            return false
        }
    }
}
