import Foundation
import Program

/// Files of root certificates, in DER or PEM (RFC 7468).
enum RootCertificates {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"
    /// The ASN.1 tag with which every certificate begins.
    private static let sequenceTag: UInt8 = 0x30

    /// The DER of every certificate in a file.
    static func read(_ path: String) throws(ConfigurationError) -> [[UInt8]] {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ConfigurationError(file: path, problem: "cannot be read; extraRoots names it")
        }
        guard let certificates = certificates(in: bytes) else {
            throw ConfigurationError(file: path, problem: "holds no certificate; give DER or PEM")
        }
        return certificates
    }

    /// The DER of the certificates in a file's content; nil when there is none, or one is damaged.
    static func certificates(in bytes: [UInt8]) -> [[UInt8]]? {
        if bytes.first == sequenceTag { return [bytes] }
        let blocks = String(decoding: bytes, as: UTF8.self).components(separatedBy: begin).dropFirst()
        let decoded = blocks.compactMap { block in
            block.components(separatedBy: end).first
                .flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
                .map { [UInt8]($0) }
        }
        let areWhole = decoded.count == blocks.count && decoded.allSatisfy { $0.first == sequenceTag }
        return areWhole && !decoded.isEmpty ? decoded : nil
    }
}
