import Domain

/// CMS signed data (RFC 5652 §5.1) as Apple's receipts use it; only the shape is checked.
struct ReceiptEnvelope {
    static let maximumBytes = Limits.appReceiptBytes
    /// Apple sends three: leaf, intermediate, root.
    static let maximumCertificates = 8

    /// The raw octets of `eContent`.
    let content: ArraySlice<UInt8>
    let certificates: [ReceiptCertificate]
    let signer: ReceiptSigner
    let certificatePlace: Range<Int>
    /// Certificates and signer's name as encoded: the same bytes mean the same chain.
    let chainKey: [UInt8]

    init(_ receipt: [UInt8]) throws(VerificationFailure) {
        guard receipt.count <= Self.maximumBytes else {
            throw .tooLarge(receipt.count, limit: Self.maximumBytes)
        }
        var outer = BERReader(receipt[...])
        var information = try outer.next(.sequence).reader
        try outer.requireEnd()
        try information.require(.signedData, "is no signed data")
        var explicit = try information.next(.context(0)).reader
        var signedData = try explicit.next(.sequence).reader

        _ = try signedData.next(.integer)
        _ = try signedData.next(.set)
        content = try Self.content(of: signedData.next(.sequence))
        let certificates = try signedData.next(if: .context(0))
        _ = try signedData.next(if: .context(1))
        signer = try Self.onlySigner(in: signedData.next(.set))
        self.certificates = try certificates.map(Self.list) ?? []
        certificatePlace = certificates.map { $0.contents.startIndex..<$0.contents.endIndex } ?? 0..<0
        chainKey = Array(certificates?.contents ?? []) + signer.name.issuer + signer.name.serialNumber
    }

    private static func content(of encapsulated: BERValue) throws(VerificationFailure) -> ArraySlice<UInt8> {
        var fields = encapsulated.reader
        try fields.require(.data, "holds no plain data")
        var explicit = try fields.next(.context(0)).reader
        return try explicit.next().octets()
    }

    private static func list(_ set: BERValue) throws(VerificationFailure) -> [ReceiptCertificate] {
        var certificates: [ReceiptCertificate] = []
        var values = set.reader
        while !values.isAtEnd {
            guard certificates.count < maximumCertificates else {
                throw VerificationFailure(.malformed, "more than \(maximumCertificates) certificates")
            }
            certificates.append(try ReceiptCertificate(values.next(.sequence)))
        }
        return certificates
    }

    private static func onlySigner(in set: BERValue) throws(VerificationFailure) -> ReceiptSigner {
        var signers = set.reader
        guard !signers.isAtEnd else { throw VerificationFailure(.malformed, "nobody signed it") }
        let signer = try ReceiptSigner(signers.next(.sequence))
        guard signers.isAtEnd else { throw VerificationFailure(.malformed, "signed by more than one") }
        return signer
    }
}

/// The name by which a signer's certificate is found (RFC 5652 §10.2.4).
struct IssuerAndSerialNumber: Equatable {
    let issuer: ArraySlice<UInt8>
    let serialNumber: ArraySlice<UInt8>
}
