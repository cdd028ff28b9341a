import Crypto
import Foundation
import SwiftASN1
import X509

/// Root (P-384), intermediate (P-384) and leaf (P-256) in the shape of Apple's own chain, with the leaf's
/// key.
struct SigningChain: Codable, Sendable {
    /// DER.
    let leaf: Data
    /// DER.
    let intermediate: Data
    /// DER.
    let root: Data
    /// The raw representation of the leaf's P-256 key; the authorities' keys are thrown away.
    let key: Data

    /// Makes a chain with new keys, faultless unless a flaw is asked for.
    static func make(flaw: ChainFlaw? = nil) throws -> SigningChain {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        let leafKey = P256.Signing.PrivateKey()
        let strangersKey = Certificate.PrivateKey(P384.Signing.PrivateKey())

        var root = CertificateForm(subject: "Counterfoil Test Root CA", key: .init(rootKey.publicKey))
        root.issuer = root.subject
        root.maximumPathLength = flaw == .rootWithoutIntermediates ? 0 : nil
        var intermediate = CertificateForm(
            subject: "Counterfoil Test Developer Relations Certification Authority",
            key: .init(intermediateKey.publicKey)
        )
        intermediate.issuer = root.subject
        intermediate.maximumPathLength = 0
        intermediate.mark = AppStoreMarks.intermediate
        var leaf = CertificateForm(
            subject: "Counterfoil Test App Store Receipt Signing",
            key: .init(leafKey.publicKey)
        )
        leaf.issuer = intermediate.subject
        leaf.isAuthority = false
        leaf.mark = AppStoreMarks.leaf
        if let flaw { spoil(&intermediate, &leaf, with: flaw) }

        let authority = Certificate.PrivateKey(rootKey)
        let issuer = Certificate.PrivateKey(intermediateKey)
        return SigningChain(
            leaf: try leaf.signed(by: flaw == .forgedLeaf ? strangersKey : issuer),
            intermediate: try intermediate.signed(by: flaw == .forgedIntermediate ? strangersKey : authority),
            root: try root.signed(by: authority),
            key: leafKey.rawRepresentation
        )
    }

    private static func spoil(
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
