import FoundationEssentials

/// A file of certificates in DER or PEM (RFC 7468).
package enum CertificateFile {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"
    private static let sequenceTag: UInt8 = 0x30

    /// The certificates in DER; nil when there is none, or one is damaged.
    package static func certificates(in bytes: [UInt8]) -> [[UInt8]]? {
        let found = bytes.first == sequenceTag ? [bytes] : pem(String(decoding: bytes, as: UTF8.self))
        return !found.isEmpty && found.allSatisfy(isCertificate) ? found : nil
    }

    private static func pem(_ text: String) -> [[UInt8]] {
        text.components(separatedBy: begin).dropFirst().map { block in
            let base64 = block.components(separatedBy: end)[0]
            return Data(base64Encoded: base64, options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? []
        }
    }

    private static func isCertificate(_ der: [UInt8]) -> Bool {
        do {
            _ = try ChainCertificate(der: der, role: .root)
            return true
        } catch {
            return false
        }
    }
}
