import X509

extension ReceiptEnvelope {
    /// 2025-01-25T00:00:00Z in milliseconds since 1970.
    static let endOfSHA1: Int64 = 1_737_763_200_000

    /// The signing key, once its chain has led to a trusted root.
    ///
    /// Apple used SHA-1 in receipts' chains until the last such intermediate expired on 2025-01-24 (TN3138);
    /// a phone may still hold an older receipt. So SHA-1 is accepted here, in no JWS, and such a chain ends
    /// that day whatever its certificates say. Until then nobody could forge one: a forged certificate needs
    /// a collision prepared before Apple signs, and Apple signed nothing for strangers with SHA-1 when that
    /// became possible.
    func leaf(anchors: TrustAnchors) throws(VerificationFailure) -> VerifiedLeaf<Certificate.PublicKey> {
        let path = try CertificateChain.path(
            chain().map { Array($0.der) },
            anchors: anchors,
            endOfSHA1: Self.endOfSHA1
        )
        return VerifiedLeaf(key: path.leaf.publicKey, chain: path.chain)
    }

    /// Finds leaf, intermediate and root by name: certificates are in a set, which has no order.
    private func chain() throws(VerificationFailure) -> [ReceiptCertificate] {
        func certificate(
            _ what: String,
            _ matches: (ReceiptCertificate) -> Bool
        ) throws(VerificationFailure) -> ReceiptCertificate {
            guard let found = certificates.first(where: matches) else {
                throw VerificationFailure(.untrusted, "the \(what) certificate is not in the receipt")
            }
            return found
        }
        let leaf = try certificate("signer's") { $0.name == signer.name }
        let intermediate = try certificate("intermediate") { $0.subject == leaf.name.issuer }
        let root = try certificate("root") { $0.subject == intermediate.name.issuer && $0.isSelfIssued }
        return [leaf, intermediate, root]
    }
}
