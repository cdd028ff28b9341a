package import Contracts
import Crypto
import FoundationEssentials

/// Checks what Apple signed: a JWS with ES256 whose header carries leaf, intermediate and root.
///
/// Safe from any thread, synchronous, without clock and network. The steps, after Apple's own `ChainVerifier`; the
/// first that fails is the reason:
///
/// 1. size and shape → `tooLarge`, `malformed`
/// 2. made by Xcode or StoreKitTest → `unsigned`
/// 3. certificate chain (`CertificateChain`) → `malformed`, `untrusted`
/// 4. the chain's validity at the payload's `signedDate` → `expiredCertificate`
/// 5. signature → `badSignature`
/// 6. payload → `unreadable`
///
/// A known header with a good signature takes a shortcut: no chain, one decoding. Only genuine bytes reach the
/// payload's own decoder; `SignedData` shows what is not genuine.
package struct SignedDataVerifier: Sendable {
    private let anchors: TrustAnchors
    let cache = ChainCache<P256.Signing.PublicKey>()

    package init(extraRoots: [[UInt8]] = []) { anchors = TrustAnchors(extraRoots: extraRoots) }

    /// The recently verified chains, for a `RevocationChecker`.
    package var chainsInUse: [VerifiedChain] { cache.chains }

    /// The payload of `jws` if Apple signed it; `now` replaces an absent signing time.
    package func verify<Payload: SignedPayload>(
        _ jws: [UInt8],
        as type: Payload.Type = Payload.self,
        now: Timestamp
    ) throws(VerificationFailure) -> Payload {
        let jws = try CompactJWS(jws, maximumBytes: Payload.maximumBytes)
        if let leaf = cache.leaf(for: jws.header), let payload: Payload = payload(jws, signedBy: leaf, now) {
            return payload
        }
        let header = try JWSHeader(segment: jws.header)
        let claims = try UnverifiedClaims(jws.payload)
        try authenticate(jws, under: header, environment: claims.environment, at: claims.signingTime ?? now)
        return try decode(jws)
    }

    /// Refuses signed data that Apple did not sign.
    ///
    /// Certificates have to be valid at `time`, or else when it was signed; `now` replaces an absent signing
    /// time.
    ///
    /// - Throws: `unsigned`, `malformed` for a chain that is not three certificates, `untrusted`,
    ///   `expiredCertificate`, `badSignature`.
    package func authenticate(
        _ data: SignedData,
        at time: Timestamp? = nil,
        now: Timestamp
    ) throws(VerificationFailure) {
        try authenticate(
            data.jws,
            under: data.header,
            environment: data.decoded.origin.environment,
            at: time ?? data.decoded.signingTime ?? now
        )
    }

    /// The cached path; nil for any failure, so that the full path names the reason.
    private func payload<Payload: SignedPayload>(
        _ jws: CompactJWS,
        signedBy leaf: VerifiedLeaf<P256.Signing.PublicKey>,
        _ now: Timestamp
    ) -> Payload? {
        guard leaf.key.signed(jws) else { return nil }
        do {
            let payload: Payload = try decode(jws)
            guard leaf.chain.isValid(at: payload.signingTime ?? now) else { return nil }
            try payload.origin.environment?.requireSigned()
            return payload
        } catch {
            return nil
        }
    }

    private func authenticate(
        _ jws: CompactJWS,
        under header: JWSHeader,
        environment: Environment?,
        at time: Timestamp
    ) throws(VerificationFailure) {
        try environment?.requireSigned()
        let known = cache.leaf(for: jws.header)
        let leaf =
            if let known { known } else { try CertificateChain.check(header.chain(), anchors: anchors) }
        try leaf.requireValid(at: time)
        guard leaf.key.signed(jws) else {
            throw VerificationFailure(.badSignature, "the certificate's key did not sign this")
        }
        if known == nil { cache.insert(leaf, for: jws.header) }
    }

    private func decode<Payload: SignedPayload>(_ jws: CompactJWS) throws(VerificationFailure) -> Payload {
        do {
            return try EventDecoder().decode(Payload.self, from: jws.payload)
        } catch let error as DecodingError {
            throw Payload.failure(decoding: error)
        } catch {
            throw VerificationFailure(.unreadable, "the payload cannot be read")
        }
    }
}

extension Environment {
    /// Refuses what a developer's machine signs with its own certificate.
    func requireSigned() throws(VerificationFailure) {
        guard self == .xcode || self == .localTesting else { return }
        throw VerificationFailure(.unsigned, "made by \(self), which proves nothing to a server")
    }
}

extension P256.Signing.PublicKey {
    fileprivate func signed(_ jws: CompactJWS) -> Bool {
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
            return isValidSignature(signature, for: jws.signingInput)
        } catch {
            return false
        }
    }
}
