/// base64url without padding (RFC 7515 §2), through a table of bytes.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
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
}
