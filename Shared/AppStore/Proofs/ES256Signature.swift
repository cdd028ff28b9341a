/// The two forms of an ECDSA signature over P-256 (RFC 7518 §3.4): anyone can turn (r, s) into (r, n - s), so
/// both count as one.
enum ES256Signature {
    /// The order n of P-256 (FIPS 186-5), big-endian.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// The form with the smaller s; unchanged unless it has 64 bytes.
    static func lowered(_ signature: [UInt8]) -> [UInt8] {
        guard signature.count == CompactJWS.signatureBytes else { return signature }
        let half = order.count
        let high = Array(signature[half...])
        guard let low = difference(order, high), low.lexicographicallyPrecedes(high) else { return signature }
        return Array(signature[..<half]) + low
    }

    private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]? {
        var result = left
        var borrow = 0
        for index in left.indices.reversed() {
            let digit = Int(left[index]) - Int(right[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[index] = UInt8(digit + borrow << 8)
        }
        return borrow == 0 ? result : nil
    }
}
