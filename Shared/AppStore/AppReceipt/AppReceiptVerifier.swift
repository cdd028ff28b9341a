package import Contracts
import X509

/// Checks the PKCS#7 app receipt of iOS 7 and later, without asking Apple.
///
/// Safe from any thread, synchronous, without clock and network. The steps, after Apple's "Validating receipts on the
/// device"; the first that fails is the reason:
///
/// 1. size and shape (`ReceiptEnvelope`, `UnverifiedReceiptClaims`) → `tooLarge`, `malformed`
/// 2. made by Xcode → `unsigned`
/// 3. certificate chain (`CertificateChain`) → `untrusted`
/// 4. the chain's validity when the receipt was created → `expiredCertificate`
/// 5. signature (`ReceiptSigner`) → `badSignature`; with an unknown algorithm `untrusted`
/// 6. all fields and rows → `unreadable`
/// 7. the device, where one is named → `wrongApp`
///
/// Only genuine bytes reach the decoder of step 6. An expired licence of an organisation (`expirationDate`) is
/// no failure: what was bought in the app stays bought.
package struct AppReceiptVerifier: Sendable {
    private let anchors: TrustAnchors
    private let cache = ChainCache<Certificate.PublicKey>()

    package init(extraRoots: [[UInt8]] = []) { anchors = TrustAnchors(extraRoots: extraRoots) }

    package var chainsInUse: [VerifiedChain] { cache.chains }

    /// What Apple signed in `receipt`, which is BER or DER, not base64.
    ///
    /// Certificates have to be valid at `time`, or else when the receipt was created. The receipt has to be
    /// made for `deviceID`, if given.
    package func verify(
        _ receipt: [UInt8],
        at time: Timestamp? = nil,
        deviceID: String? = nil
    ) throws(VerificationFailure) -> AppReceipt {
        let envelope = try ReceiptEnvelope(receipt)
        let claims = try UnverifiedReceiptClaims(envelope.content)
        guard let time = time ?? claims.creationDate else {
            throw VerificationFailure(.malformed, "the receipt does not say when it was created")
        }
        try Self.requireSigned(envelope, claims)
        let known = cache.leaf(for: envelope.chainKey)
        let leaf = if let known { known } else { try envelope.leaf(anchors: anchors) }
        try leaf.requireValid(at: time)
        try envelope.signer.check(envelope.content, signedBy: leaf.key)
        if known == nil { cache.insert(leaf, for: envelope.chainKey) }
        let genuine = try Self.decode(envelope)
        if let deviceID { try genuine.require(deviceID: deviceID) }
        return genuine
    }

    /// Xcode names itself, and signs with one self-issued certificate.
    private static func requireSigned(
        _ envelope: ReceiptEnvelope,
        _ claims: UnverifiedReceiptClaims
    ) throws(VerificationFailure) {
        if let type = claims.receiptType { try Environment(rawValue: type).requireSigned() }
        if envelope.certificates.count == 1, envelope.certificates[0].isSelfIssued {
            throw VerificationFailure(.unsigned, "signed with a certificate that issued itself")
        }
    }

    /// Apple signed it, so what cannot be read is kept.
    private static func decode(_ envelope: ReceiptEnvelope) throws(VerificationFailure) -> AppReceipt {
        do throws(VerificationFailure) {
            return try AppReceipt(content: envelope.content)
        } catch {
            throw VerificationFailure(.unreadable, error.detail)
        }
    }
}
