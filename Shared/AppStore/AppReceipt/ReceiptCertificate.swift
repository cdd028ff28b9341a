struct ReceiptCertificate {
    /// Apple's certificates have up to 1,600 bytes.
    static let maximumBytes = 8 * 1_024

    let der: ArraySlice<UInt8>
    let name: IssuerAndSerialNumber
    let subject: ArraySlice<UInt8>

    var isSelfIssued: Bool { name.issuer == subject }

    /// The fields are in the order of RFC 5280 §4.1.
    init(_ value: BERValue) throws(VerificationFailure) {
        guard value.encoding.count <= Self.maximumBytes else {
            throw VerificationFailure(.malformed, "a certificate of \(value.encoding.count) bytes")
        }
        der = value.encoding
        var certificate = value.reader
        var fields = try certificate.next(.sequence).reader
        _ = try fields.next(if: .context(0))
        let serialNumber = try fields.next(.integer).contents
        _ = try fields.next(.sequence)
        name = IssuerAndSerialNumber(
            issuer: try fields.next(.sequence).encoding,
            serialNumber: serialNumber
        )
        _ = try fields.next(.sequence)
        subject = try fields.next(.sequence).encoding
    }
}
