/// The object identifiers of RFC 5652 and RFC 8017 that receipts use, by their contents in BER.
enum CMSIdentifier: CaseIterable {
    case data, signedData, contentType, messageDigest, sha1, sha256, rsa, rsaWithSHA1, rsaWithSHA256

    // 1.2.840.113549.1
    private static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]

    var contents: [UInt8] {
        switch self {
        case .data: Self.pkcs + [7, 1]
        case .signedData: Self.pkcs + [7, 2]
        case .contentType: Self.pkcs + [9, 3]
        case .messageDigest: Self.pkcs + [9, 4]
        // 1.3.14.3.2.26
        case .sha1: [0x2B, 0x0E, 0x03, 0x02, 0x1A]
        // 2.16.840.1.101.3.4.2.1
        case .sha256: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        case .rsa: Self.pkcs + [1, 1]
        case .rsaWithSHA1: Self.pkcs + [1, 5]
        case .rsaWithSHA256: Self.pkcs + [1, 11]
        }
    }

    init?(_ contents: ArraySlice<UInt8>) {
        guard let found = Self.allCases.first(where: { $0.contents[...] == contents }) else { return nil }
        self = found
    }
}

extension BERReader {
    mutating func identifier() throws(VerificationFailure) -> CMSIdentifier? {
        CMSIdentifier(try next(.objectIdentifier).contents)
    }

    mutating func require(_ identifier: CMSIdentifier, _ otherwise: String) throws(VerificationFailure) {
        guard try self.identifier() == identifier else {
            throw VerificationFailure(.malformed, "the receipt \(otherwise)")
        }
    }
}
