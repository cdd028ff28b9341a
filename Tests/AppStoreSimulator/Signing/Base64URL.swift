import Foundation

/// base64url without padding (RFC 7515 §2), through a table of bytes.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// The text of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let length = (bytes.count * 4 + 2) / 3
        return [UInt8](unsafeUninitializedCapacity: length) { target, count in
            var bits: UInt32 = 0
            var pending = 0
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                pending += 8
                while pending >= 6 {
                    pending -= 6
                    target[count] = alphabet[Int(bits >> UInt32(pending) & 0x3F)]
                    count += 1
                }
            }
            if pending > 0 {
                target[count] = alphabet[Int(bits << UInt32(6 - pending) & 0x3F)]
                count += 1
            }
        }
    }

    /// The bytes of `text`, or nil when it is no base64url.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.utf8.contains(where: { foreign.contains($0) }) else { return nil }
        let standard = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard + padding)).map(Array.init)
    }

    /// Of the other alphabet, and its padding.
    private static let foreign = Array("+/=".utf8)
}
