import Contracts
import JWTKit
import Program

/// A key under which phones' tokens are verified, in its only algorithm.
///
/// JWTKit has the algorithms. Which key and algorithm a token may have is decided by `PhoneAuthentication`: a
/// collection of JWTKit takes its first key for a `kid` that it does not know.
struct PhoneKey: Sendable {
    let algorithm: Configuration.PhoneTokenKey.Algorithm
    private let verifier: any JWTAlgorithm

    /// - Throws: an error of JWTKit when the public key is none of its algorithm.
    init(_ key: Configuration.PhoneTokenKey) async throws {
        let keys = JWTKeyCollection()
        switch key.algorithm {
        case .hs256: await keys.add(hmac: HMACKey(from: key.secret ?? ""), digestAlgorithm: .sha256)
        case .es256: await keys.add(ecdsa: try ES256PublicKey(pem: key.publicKey ?? ""))
        case .edDSA: await keys.add(eddsa: try EdDSA.PublicKey(pem: key.publicKey ?? ""))
        }
        try await self.init(key.algorithm, in: keys)
    }

    /// Nil for a kind of key that phones' tokens may not have, which RFC 7517, section 5, lets a reader ignore, and for
    /// one that is not for signatures (section 4.2).
    ///
    /// - Throws: an error of JWTKit when the coordinates are none of the curve.
    init?(_ key: JSONWebKey) async throws {
        guard key.use == nil || key.use == "sig" else { return nil }
        let keys = JWTKeyCollection()
        let algorithm: Configuration.PhoneTokenKey.Algorithm
        switch (key.kty, key.crv) {
        case ("EC", "P-256"):
            algorithm = .es256
            await keys.add(ecdsa: try ES256PublicKey(parameters: (key.x ?? "", key.y ?? "")))
        case ("OKP", "Ed25519"):
            algorithm = .edDSA
            await keys.add(eddsa: try EdDSA.PublicKey(x: key.x ?? "", curve: .ed25519))
        default: return nil
        }
        guard key.alg == nil || key.alg == algorithm.rawValue else { return nil }
        try await self.init(algorithm, in: keys)
    }

    private init(
        _ algorithm: Configuration.PhoneTokenKey.Algorithm,
        in keys: JWTKeyCollection
    ) async throws {
        self.algorithm = algorithm
        verifier = try await keys.getKey()
    }

    func isSignature(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
        // An error says that the bytes are no signature of this kind at all.
        do { return try verifier.verify(signature, signs: signed) } catch { return false }
    }
}
