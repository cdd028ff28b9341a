import Contracts
import Crypto

/// Ids derived from what they name, so that they are the same again after a store was restored.
package enum DerivedID {
    /// Bytes of the digest in an id: as many as a random id has.
    private static let byteCount = 16

    /// Whether a text has the form of a derived id.
    package static func isOne(_ text: String) -> Bool { text.isHexadecimal(digits: 2 * byteCount) }

    /// First 128 bits of SHA-256 over the parts, each prefixed with its length, in hexadecimal.
    package static func hexadecimal(_ parts: [String]) -> String {
        var text: [UInt8] = []
        for part in parts {
            text.append(contentsOf: String(part.utf8.count).utf8)
            text.append(UInt8(ascii: ":"))
            text.append(contentsOf: part.utf8)
        }
        return SHA256.hash(data: text).withUnsafeBytes { Array($0.prefix(byteCount)).hexadecimal }
    }
}
