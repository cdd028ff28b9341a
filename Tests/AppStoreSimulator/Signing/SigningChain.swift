import Crypto
import CryptoExtras
import Foundation
import X509

/// Root (P-384), intermediate (P-384) and leaf (P-256) in the shape of Apple's own chain, with the leaf's
/// key.
struct SigningChain: Codable, Sendable {
    let leaf: Data
    let intermediate: Data
    let root: Data
    /// The raw representation of the leaf's P-256 key.
    let key: Data
    /// DER of a leaf with the same key that was valid only in 2021.
    let expiredLeaf: Data
    /// DER of the leaf that signs app receipts, with a key of its own; absent where none are signed.
    let receiptLeaf: Data?
    /// DER of that leaf's RSA key.
    let receiptKey: Data?
    /// What answers by OCSP for the certificates; absent where nobody was asked to, as the authorities' keys are
    /// thrown away then.
    let authority: OCSPAuthority?

    /// Makes a chain with new keys, faultless unless flaws are asked for; an RSA key for receipts takes a while,
    /// so it is made on demand only.
    static func make(
        flaws: Set<ChainFlaw> = [],
        signsReceipts: Bool = false,
        ocsp: String? = nil,
        namedBy: [OCSPSubject] = OCSPSubject.allCases
    ) throws -> SigningChain {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        let leafKey = P256.Signing.PrivateKey()
        let strangersKey = Certificate.PrivateKey(P384.Signing.PrivateKey())

        var (root, intermediate, leaf) = CertificateForm.chain(
            ("Counterfoil Test Root CA", .init(rootKey.publicKey)),
            (
                "Counterfoil Test Developer Relations Certification Authority",
                .init(intermediateKey.publicKey)
            ),
            ("Counterfoil Test App Store Receipt Signing", .init(leafKey.publicKey))
        )
        root.maximumPathLength = flaws.contains(.rootWithoutIntermediates) ? 0 : nil
        intermediate.ocsp = namedBy.contains(.intermediate) ? ocsp : nil
        leaf.ocsp = namedBy.contains(.leaf) ? ocsp : nil
        for flaw in flaws { spoil(&intermediate, &leaf, with: flaw) }
        var expiredLeaf = leaf
        expiredLeaf.validUntil = CertificateForm.endOf2021

        let authority = Certificate.PrivateKey(rootKey)
        let issuer = Certificate.PrivateKey(intermediateKey)
        var receiptLeaf = leaf
        let receiptKey = try signsReceipts ? _RSA.Signing.PrivateKey(keySize: .bits2048) : nil
        if let receiptKey { receiptLeaf.key = .init(receiptKey.publicKey) }
        return SigningChain(
            leaf: try leaf.signed(by: flaws.contains(.forgedLeaf) ? strangersKey : issuer),
            intermediate: try intermediate.signed(
                by: flaws.contains(.forgedIntermediate) ? strangersKey : authority
            ),
            root: try root.signed(by: authority),
            key: leafKey.rawRepresentation,
            expiredLeaf: try expiredLeaf.signed(by: issuer),
            receiptLeaf: try receiptKey.map { _ in try receiptLeaf.signed(by: issuer) },
            receiptKey: receiptKey?.derRepresentation,
            authority: ocsp.map {
                OCSPAuthority(
                    url: $0,
                    rootKey: rootKey.rawRepresentation,
                    intermediateKey: intermediateKey.rawRepresentation
                )
            }
        )
    }

    static func spoil(
        _ intermediate: inout CertificateForm,
        _ leaf: inout CertificateForm,
        with flaw: ChainFlaw
    ) {
        switch flaw {
        case .unmarkedLeaf: leaf.mark = nil
        case .unmarkedIntermediate: intermediate.mark = nil
        case .expiredLeaf: leaf.validUntil = CertificateForm.endOf2021
        case .expiredIntermediate: intermediate.validUntil = CertificateForm.endOf2021
        case .leafOnP384: leaf.key = .init(P384.Signing.PrivateKey().publicKey)
        case .intermediateWithoutAuthority: intermediate.isAuthority = false
        case .intermediateWithoutCertificateSigning: intermediate.usage = KeyUsage(cRLSign: true)
        case .foreignIssuer: leaf.issuer = "Somebody Else"
        case .unknownCriticalExtension: leaf.hasUnknownCriticalExtension = true
        case .nameConstraints: intermediate.hasNameConstraints = true
        case .leafWithoutDigitalSignature: leaf.usage = KeyUsage(keyAgreement: true)
        case .rootWithoutIntermediates, .forgedLeaf, .forgedIntermediate: break
        }
    }
}

/// The keys that answer by OCSP for the certificates they issued, and where.
struct OCSPAuthority: Codable, Sendable {
    let url: String
    /// The raw representation of the root's P-384 key.
    let rootKey: Data
    /// The raw representation of the intermediate's P-384 key.
    let intermediateKey: Data
}
