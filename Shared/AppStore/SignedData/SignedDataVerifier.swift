package import Contracts
import Foundation

/// Checks what Apple signed: a JWS with ES256 whose header carries leaf, intermediate and root.
///
/// A value to be shared: safe from any thread, synchronous, without clock and network. The way of a JWS,
/// after Apple's own `ChainVerifier`; where it fails first is the answer:
///
/// 1. size and shape → `tooLarge`, `malformed`
/// 2. made by Xcode or StoreKitTest → `unsigned`
/// 3. certificate chain (`CertificateChain`) → `malformed`, `untrusted`
/// 4. the chain's validity at the payload's `signedDate` → `expiredCertificate`
/// 5. signature → `badSignature`
/// 6. payload → `unreadable`
///
/// A known header with a good signature takes the short way: no chain, one decoding. Only genuine bytes meet
/// the payload's own decoder.
package struct SignedDataVerifier: Sendable {
    /// What a developer's own machine signs, with a certificate of its own.
    private static let unsigned: Set<Environment> = [.xcode, .localTesting]

    private let anchors: TrustAnchors
    private let cache: ChainCache

    /// Trusts Apple's roots and, in a test home, the DER of others.
    package init(extraRoots: [[UInt8]] = []) {
        anchors = TrustAnchors(extraRoots: extraRoots)
        cache = ChainCache()
    }

    init(anchors: TrustAnchors, cache: ChainCache) {
        self.anchors = anchors
        self.cache = cache
    }

    /// The payload of `jws` if Apple signed it; `now` counts where the payload does not say when.
    package func verify<Payload: SignedPayload>(
        _ jws: [UInt8],
        as payload: Payload.Type = Payload.self,
        now: Timestamp
    ) throws(VerificationFailure) -> Payload {
        let jws = try CompactJWS(jws)
        let known = cache.leaf(for: jws.header)
        if let known, let payload: Payload = genuine(jws, signedBy: known, now: now) { return payload }

        let header = try JWSHeader(segment: jws.header)
        let claims = try Claims(jws.payload)
        if let environment = claims.environment, Self.unsigned.contains(environment) {
            throw VerificationFailure(.unsigned, "made by \(environment), which proves nothing to a server")
        }
        let leaf =
            if let known { known } else { try CertificateChain.check(header.chain(), anchors: anchors) }
        guard leaf.isValid(at: claims.signingTime ?? now.milliseconds) else {
            throw VerificationFailure(
                .expiredCertificate,
                "a certificate is not valid at the time of signature"
            )
        }
        guard leaf.signed(jws) else {
            throw VerificationFailure(.badSignature, "the certificate's key did not sign this")
        }
        if known == nil { cache.insert(leaf, for: jws.header) }
        return try decode(jws)
    }

    /// The short way; nil for whatever is not in order, so that the long way names it.
    private func genuine<Payload: SignedPayload>(
        _ jws: CompactJWS,
        signedBy leaf: SigningLeaf,
        now: Timestamp
    ) -> Payload? {
        guard leaf.signed(jws) else { return nil }
        do {
            let payload: Payload = try decode(jws)
            let environment = payload.signingEnvironment
            guard leaf.isValid(at: (payload.signingTime ?? now).milliseconds) else { return nil }
            return environment.map(Self.unsigned.contains) == true ? nil : payload
        } catch {
            return nil
        }
    }

    private func decode<Payload: SignedPayload>(_ jws: CompactJWS) throws(VerificationFailure) -> Payload {
        do {
            return try JSONDecoder().decode(Payload.self, from: Data(jws.payload))
        } catch let error as DecodingError {
            throw Payload.failure(decoding: error)
        } catch {
            throw VerificationFailure(.unreadable, "the payload cannot be read")
        }
    }
}
