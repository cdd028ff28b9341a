import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// Root, intermediate and leaf with RSA keys, in the shape of the chain under "Apple Inc Root", and the leaf's
/// key.
struct ReceiptChain: Sendable {
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let root: [UInt8]
    let key: _RSA.Signing.PrivateKey

    init(_ chain: SigningChain) throws {
        guard let leaf = chain.receiptLeaf, let key = chain.receiptKey else {
            throw SystemError(description: "the signing chain is an older simulator's; remove its folder")
        }
        self.leaf = Array(leaf)
        intermediate = Array(chain.intermediate)
        root = Array(chain.root)
        self.key = try _RSA.Signing.PrivateKey(derRepresentation: key)
    }

    init(_ style: ReceiptStyle) throws {
        let keys = try Keys.ofThisProcess.get()
        let algorithm: Certificate.SignatureAlgorithm =
            style.chainDigest == .sha1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption
        var (root, intermediate, leaf) = CertificateForm.chain(
            ("Counterfoil Test Inc Root", .init(keys.root.publicKey)),
            ("Counterfoil Test Developer Relations", .init(keys.intermediate.publicKey)),
            ("Counterfoil Test Receipt Signing", .init(keys.leaf.publicKey))
        )
        root.algorithm = .sha1WithRSAEncryption
        intermediate.algorithm = algorithm
        leaf.algorithm = algorithm
        if let flaw = style.flaw.flatMap({ ChainFlaw(rawValue: $0.rawValue) }) {
            SigningChain.spoil(&intermediate, &leaf, with: flaw)
        }
        if style.flaw == .selfSigned {
            leaf.issuer = leaf.subject
            leaf.issuerKey = leaf.key
        }

        let rootKey = Certificate.PrivateKey(keys.root)
        let strangers = Certificate.PrivateKey(keys.stranger)
        let leafIssuer = Certificate.PrivateKey(style.flaw == .selfSigned ? keys.leaf : keys.intermediate)
        self.root = Array(try root.signed(by: rootKey))
        self.intermediate = Array(
            try intermediate.signed(by: style.flaw == .forgedIntermediate ? strangers : rootKey)
        )
        self.leaf = Array(try leaf.signed(by: style.flaw == .forgedLeaf ? strangers : leafIssuer))
        key = style.flaw == .forgedSignature ? keys.stranger : keys.leaf
    }

    /// RSA keys take long to make, and no test needs its own.
    private struct Keys: Sendable {
        static let ofThisProcess = Result { try Keys() }

        let root: _RSA.Signing.PrivateKey
        let intermediate: _RSA.Signing.PrivateKey
        let leaf: _RSA.Signing.PrivateKey
        let stranger: _RSA.Signing.PrivateKey

        init() throws {
            root = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            intermediate = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            leaf = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            stranger = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        }
    }
}
