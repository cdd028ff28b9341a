import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// The three certificates of Apple's signed data, checked as RFC 5280 §6.1 asks, without a clock.
///
/// Here, because swift-certificates' `Verifier` builds paths asynchronously and for one moment; Apple's path is given
/// (leaf, intermediate, root), and a cached result has to be compared with each payload's own time.
///
/// | RFC 5280 | here |
/// |---|---|
/// | §6.1.1 (d) trust anchor | see `anchor`; its own signature proves nothing and is not read |
/// | §4.1.1.2 | inner and outer signature algorithm are the same |
/// | §6.1.3 (a)(1) signature | of each certificate by the next one's key; SHA-1 is refused (but see `path`) |
/// | §6.1.3 (a)(2) validity | the window common to all three, returned; the root's counts too |
/// | §6.1.3 (a)(3) revocation | not asked for on this path but in the background: `RevocationChecker` |
/// | §6.1.3 (a)(4) names | issuer = subject of the next |
/// | §6.1.3 (b, c), §6.1.4 (g) name constraints | their presence is refused, so that none is passed over |
/// | §6.1.3 (d-f) policies | any policy is accepted, none is required |
/// | §6.1.4 (k) | intermediate and root say that they are certificate authorities |
/// | §6.1.4 (l, m) path length | the root allows an intermediate that it did not issue to itself |
/// | §6.1.4 (n) key usage | where stated, authorities may sign certificates; the leaf may sign data |
/// | §6.1.4 (o), §6.1.5 (f) | a critical extension outside `understood` is refused |
///
/// On top of it: exactly three certificates, Apple's two marks, a P-256 key in the leaf.
enum CertificateChain {
    static let length = 3

    /// Marks the leaf for receipts and StoreKit's data; other Apple certificates chain to the same roots.
    static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks Apple's Worldwide Developer Relations intermediates.
    static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    static let understood: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, leafMark, intermediateMark,
    ]

    /// Checks leaf, intermediate and root in DER; returns the signing key and its validity window.
    ///
    /// - Throws: `malformed` unless there are three pieces of DER, `untrusted` for everything else.
    static func check(
        _ chain: [[UInt8]],
        anchors: TrustAnchors
    ) throws(VerificationFailure) -> VerifiedLeaf<P256.Signing.PublicKey> {
        let path = try Self.path(chain, anchors: anchors)
        return VerifiedLeaf(key: try path.leaf.signingKey(), chain: path.chain)
    }

    /// Checks all but the leaf's key; `endOfSHA1` (ms since 1970) allows RSA with SHA-1 and ends the chain by
    /// then.
    static func path(
        _ chain: [[UInt8]],
        anchors: TrustAnchors,
        endOfSHA1: Int64? = nil
    ) throws(VerificationFailure) -> (leaf: ChainCertificate, chain: VerifiedChain) {
        guard chain.count == length else {
            throw VerificationFailure(.malformed, "\(chain.count) certificates, not three")
        }
        let leaf = try ChainCertificate(der: chain[0], role: .leaf)
        let intermediate = try ChainCertificate(der: chain[1], role: .intermediate)
        let root = try anchor(of: intermediate, presented: chain[2], anchors: anchors)
        for certificate in [leaf, intermediate, root] { try certificate.checkExtensions() }
        try root.checkAuthority(
            over: intermediate,
            intermediatesBelow: intermediate.isSelfIssued ? 0 : 1,
            allowsSHA1: endOfSHA1 != nil
        )
        try intermediate.checkAuthority(over: leaf, intermediatesBelow: 0, allowsSHA1: endOfSHA1 != nil)
        try intermediate.checkMark(intermediateMark)
        try leaf.checkMark(leafMark)
        let end = leaf.isSignedWithSHA1 || intermediate.isSignedWithSHA1 ? endOfSHA1 ?? .min : .max
        let chain = VerifiedChain(
            certificates: [leaf.der, intermediate.der, root.der],
            validFrom: max(leaf.validFrom, intermediate.validFrom, root.validFrom),
            validUntil: min(leaf.validUntil, intermediate.validUntil, root.validUntil, end)
        )
        return (leaf, chain)
    }

    /// The trusted root that issued `intermediate`.
    ///
    /// An untrusted presented root is ignored, as in Apple's own library, and an extra root that issued the
    /// intermediate replaces it: two roots may share a key or a name. Apple's roots are known only by
    /// fingerprint and have to be presented.
    private static func anchor(
        of intermediate: ChainCertificate,
        presented: [UInt8],
        anchors: TrustAnchors
    ) throws(VerificationFailure) -> ChainCertificate {
        let root = try ChainCertificate(der: presented, role: .root)
        if anchors.contains(presented) { return root }
        for der in anchors.extraRoots {
            let root = try ChainCertificate(der: der, role: .root)
            if root.issued(intermediate) { return root }
        }
        throw VerificationFailure(.untrusted, "the root certificate is not one that is trusted here")
    }
}
