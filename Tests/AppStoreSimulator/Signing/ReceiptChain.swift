import CryptoExtras
import Foundation
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
            throw UnusableState(description: "the signing chain signs no receipts")
        }
        self.leaf = Array(leaf)
        intermediate = Array(chain.intermediate)
        root = Array(chain.root)
        self.key = try _RSA.Signing.PrivateKey(derRepresentation: key)
    }

    init(_ style: ReceiptStyle) throws {
        let keys = try Self.keysOfThisProcess.get()
        let (rootKey, intermediateKey, leafKey, strangersKey) = (keys[0], keys[1], keys[2], keys[3])
        let algorithm: Certificate.SignatureAlgorithm =
            style.chainDigest == .sha1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption
        var (root, intermediate, leaf) = CertificateForm.chain(
            ("Counterfoil Test Inc Root", .init(rootKey.publicKey)),
            ("Counterfoil Test Developer Relations", .init(intermediateKey.publicKey)),
            ("Counterfoil Test Receipt Signing", .init(leafKey.publicKey))
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
        let leafIssuer =
            switch style.flaw {
            case .forgedLeaf: strangersKey
            case .selfSigned: leafKey
            default: intermediateKey
            }
        let intermediateIssuer = style.flaw == .forgedIntermediate ? strangersKey : rootKey
        self.root = Array(try root.signed(by: .init(rootKey)))
        self.intermediate = Array(try intermediate.signed(by: .init(intermediateIssuer)))
        self.leaf = Array(try leaf.signed(by: .init(leafIssuer)))
        key = style.flaw == .forgedSignature ? strangersKey : leafKey
    }

    /// RSA keys take long to make, and no test needs its own.
    private static let keysOfThisProcess = Result {
        try (0..<4).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    }
}
