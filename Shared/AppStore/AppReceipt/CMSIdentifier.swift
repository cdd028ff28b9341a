/// The object identifiers of RFC 5652 and RFC 8017 that receipts use, by their contents in BER.
struct CMSIdentifier: Equatable {
    // 1.2.840.113549.1
    private static let pkcs: ArraySlice<UInt8> = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]

    static let data = CMSIdentifier(contents: pkcs + [7, 1])
    static let signedData = CMSIdentifier(contents: pkcs + [7, 2])
    static let contentType = CMSIdentifier(contents: pkcs + [9, 3])
    static let messageDigest = CMSIdentifier(contents: pkcs + [9, 4])
    // 1.3.14.3.2.26
    static let sha1 = CMSIdentifier(contents: [0x2B, 0x0E, 0x03, 0x02, 0x1A])
    // 2.16.840.1.101.3.4.2.1
    static let sha256 = CMSIdentifier(contents: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
    static let rsa = CMSIdentifier(contents: pkcs + [1, 1])
    static let rsaWithSHA1 = CMSIdentifier(contents: pkcs + [1, 5])
    static let rsaWithSHA256 = CMSIdentifier(contents: pkcs + [1, 11])

    let contents: ArraySlice<UInt8>
}

extension BERReader {
    mutating func identifier() throws(VerificationFailure) -> CMSIdentifier {
        CMSIdentifier(contents: try next(.objectIdentifier).contents)
    }

    mutating func require(_ identifier: CMSIdentifier, _ otherwise: String) throws(VerificationFailure) {
        guard try self.identifier() == identifier else {
            throw VerificationFailure(.malformed, "the receipt \(otherwise)")
        }
    }
}
