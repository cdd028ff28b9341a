import X509

/// The outcome of a receipt's chain check: the key that signs, and when the whole chain is valid.
///
/// Apple signed receipts' leaves and intermediates with SHA-1 until the last such intermediate expired on
/// 2025-01-24 (TN3138); a phone may still hold a receipt from before. So SHA-1 is taken here, and in no JWS,
/// but such a chain ends that day whatever its certificates say. Until then only Apple's own hands could have
/// made one: a strange certificate with Apple's signature needs a collision prepared before Apple signs, and
/// Apple's authorities signed nothing of strangers' with SHA-1 when that became possible.
struct ReceiptLeaf: ChainedLeaf {
    /// 2025-01-25T00:00:00Z in milliseconds since 1970.
    static let endOfSHA1: Int64 = 1_737_763_200_000

    let key: Certificate.PublicKey
    let chain: CheckedChain

    var validFrom: Int64 { chain.validFrom }
    var validUntil: Int64 { chain.validUntil }

    /// Checks the chain that leads from the signer's certificate to a trusted root.
    init(checking envelope: ReceiptEnvelope, anchors: TrustAnchors) throws(VerificationFailure) {
        let certificates = try Self.chain(in: envelope).map { Array($0.der) }
        let path = try CertificateChain.path(certificates, anchors: anchors, endOfSHA1: Self.endOfSHA1)
        key = path.leaf.publicKey
        chain = path.chain
    }

    func isValid(at milliseconds: Int64) -> Bool {
        validFrom <= milliseconds && milliseconds <= validUntil
    }

    /// Leaf, intermediate and root, by their names: certificates lie in a set, which has no order.
    private static func chain(
        in envelope: ReceiptEnvelope
    ) throws(VerificationFailure) -> [ReceiptCertificate] {
        let all = envelope.certificates
        guard let leaf = all.first(where: { $0.name == envelope.signer.name }) else {
            throw VerificationFailure(.untrusted, "the signer's certificate is not in the receipt")
        }
        guard let intermediate = all.first(where: { $0.subject == leaf.name.issuer }) else {
            throw VerificationFailure(.untrusted, "the issuer of the leaf certificate is not in the receipt")
        }
        guard let root = all.first(where: { $0.subject == intermediate.name.issuer && $0.isSelfIssued })
        else {
            throw VerificationFailure(.untrusted, "the root certificate is not in the receipt")
        }
        return [leaf, intermediate, root]
    }
}
