/// A UUID, so that it can be Apple's `appAccountToken`.
///
/// Version 8 (RFC 9562): 48 bits of Unix ms, 4 bits of version, 12 + 4 bits of the buyer's shard around the
/// variant, the rest random. Always in lower case, because Apple may change the case.
package struct OrderID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// Accepts any case; nil unless Counterfoil made the UUID.
    package init?(rawValue: String) {
        guard let uuid = UUIDText(rawValue) else { return nil }
        self.init(uuid: uuid)
    }

    /// Nil for an app's own token.
    package init?(uuid: UUIDText) {
        let version = UUIDText.digit(at: 14, of: uuid.text)
        let variant = UUIDText.digit(at: 19, of: uuid.text)
        guard version == 8, variant >> 2 == 2 else { return nil }
        rawValue = uuid.text
    }

    /// Ids sort by time; the buyer's shard in them leads every service to the order's partition.
    package init(time: Timestamp, shard: Shard, random: UInt64) {
        let milliseconds = UInt64(bitPattern: time.milliseconds)
        let key = shard.rawValue
        let stamp = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
        let noise = (0..<8).map { UInt8(truncatingIfNeeded: random >> (8 * UInt64($0))) }
        let digits =
            (stamp + [
                0x80 | UInt8(key >> 12), UInt8((key >> 4) & 0xFF),
                0x80 | (UInt8(key & 0x0F) << 2) | (noise[0] & 0x03),
            ] + noise.dropFirst()).hexadecimal
        let ends = [0, 8, 12, 16, 20, 32].map { digits.index(digits.startIndex, offsetBy: $0) }
        rawValue = zip(ends, ends.dropFirst()).map { digits[$0..<$1] }.joined(separator: "-")
    }

    package static func isValid(_ text: String) -> Bool { OrderID(rawValue: text) != nil }

    /// The buyer's shard.
    package var shard: Shard {
        let digits = [15, 16, 17].reduce(into: UInt16(0)) { digits, place in
            digits = digits << 4 | UUIDText.digit(at: place, of: rawValue)
        }
        let last = UUIDText.digit(at: 19, of: rawValue) << 4 | UUIDText.digit(at: 20, of: rawValue)
        return Shard(rawValue: digits << 4 | last >> 2 & 0x0F)
    }
}
