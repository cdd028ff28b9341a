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
/// the payload's own decoder. Whoever wants to see what is not genuine reads it as `SignedData` first.
package struct SignedDataVerifier: Sendable {
    /// What a developer's own machine signs, with a certificate of its own.
    private static let unsigned: Set<Environment> = [.xcode, .localTesting]

    private let anchors: TrustAnchors
    private let cache: ChainCache<SigningLeaf>

    /// Trusts Apple's roots and, in a test home, the DER of others.
    package init(extraRoots: [[UInt8]] = []) {
        anchors = TrustAnchors(extraRoots: extraRoots)
        cache = ChainCache()
    }

    init(anchors: TrustAnchors, cache: ChainCache<SigningLeaf>) {
        self.anchors = anchors
        self.cache = cache
    }

    /// The chains that verified lately, to be asked about by a `RevocationChecker`.
    package var chainsInUse: [CheckedChain] { cache.chains }

    /// The payload of `jws` if Apple signed it; `now` counts where the payload does not say when.
    package func verify<Payload: SignedPayload>(
        _ jws: [UInt8],
        as payload: Payload.Type = Payload.self,
        now: Timestamp
    ) throws(VerificationFailure) -> Payload {
        try genuine(jws, now: now).payload
    }

    /// Refuses signed data of any kind that Apple did not sign.
    ///
    /// - Parameters:
    ///   - data: It was read already, and found to be well formed.
    ///   - time: When its certificates have to be valid; nil means when it was signed.
    ///   - now: Counts where neither says when.
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
            environment: data.statement.origin.environment,
            at: (time ?? data.statement.signingTime ?? now).milliseconds
        )
    }

    /// The payload of `jws`, and its JSON, if Apple signed it.
    func genuine<Payload: SignedPayload>(
        _ jws: [UInt8],
        now: Timestamp
    ) throws(VerificationFailure) -> GenuineData<Payload> {
        let jws = try CompactJWS(jws, maximumBytes: Payload.maximumBytes)
        if let leaf = cache.leaf(for: jws.header), let payload: Payload = genuine(jws, signedBy: leaf, now) {
            return GenuineData(payload: payload, json: jws.payload)
        }
        let header = try JWSHeader(segment: jws.header)
        let claims = try Claims(jws.payload)
        let time = claims.signingTime ?? now.milliseconds
        try authenticate(jws, under: header, environment: claims.environment, at: time)
        return GenuineData(payload: try decode(jws), json: jws.payload)
    }

    /// The short way; nil for whatever is not in order, so that the long way names it.
    private func genuine<Payload: SignedPayload>(
        _ jws: CompactJWS,
        signedBy leaf: SigningLeaf,
        _ now: Timestamp
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

    /// The long way, once the JWS is known to be well formed.
    private func authenticate(
        _ jws: CompactJWS,
        under header: JWSHeader,
        environment: Environment?,
        at time: Int64
    ) throws(VerificationFailure) {
        if let environment, Self.unsigned.contains(environment) {
            throw VerificationFailure(.unsigned, "made by \(environment), which proves nothing to a server")
        }
        let known = cache.leaf(for: jws.header)
        let leaf =
            if let known { known } else { try CertificateChain.check(header.chain(), anchors: anchors) }
        guard leaf.isValid(at: time) else {
            throw VerificationFailure(
                .expiredCertificate,
                "a certificate is not valid at the time of signature"
            )
        }
        guard leaf.signed(jws) else {
            throw VerificationFailure(.badSignature, "the certificate's key did not sign this")
        }
        if known == nil { cache.insert(leaf, for: jws.header) }
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

/// What a good signature covers.
struct GenuineData<Payload: SignedPayload> {
    let payload: Payload
    /// The JSON that was signed.
    let json: [UInt8]
}
