package import Foundation

/// A UUID, so that it can be Apple's `appAccountToken`.
///
/// Version 8 (RFC 9562): 48 bits of Unix ms, 4 bits of version, 12 + 4 bits of the buyer's shard around the
/// variant, the rest random. Always in lower case, because Apple may change the case.
package struct OrderID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// Accepts any case; nil unless Counterfoil made the UUID.
    package init?(rawValue: String) {
        guard let uuid = UUID(uuidString: rawValue) else { return nil }
        self.init(uuid: uuid)
    }

    /// Nil for an app's own token.
    package init?(uuid: UUID) {
        let bytes = uuid.uuid
        guard bytes.6 >> 4 == 8, bytes.8 >> 6 == 2 else { return nil }
        rawValue = uuid.uuidString.lowercased()
    }

    /// Ids sort by time; the buyer's shard in them leads every service to the order's partition.
    package init(time: Timestamp, shard: Shard, random: UInt64) {
        let milliseconds = UInt64(bitPattern: time.milliseconds)
        let key = shard.rawValue
        let stamp = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
        let noise = (0..<8).map { UInt8(truncatingIfNeeded: random >> (8 * UInt64($0))) }
        let uuid = UUID(
            uuid: (
                stamp[0], stamp[1], stamp[2], stamp[3], stamp[4], stamp[5],
                0x80 | UInt8(key >> 12), UInt8((key >> 4) & 0xFF),
                0x80 | (UInt8(key & 0x0F) << 2) | (noise[0] & 0x03),
                noise[1], noise[2], noise[3], noise[4], noise[5], noise[6], noise[7]
            )
        )
        rawValue = uuid.uuidString.lowercased()
    }

    package static func isValid(_ text: String) -> Bool { OrderID(rawValue: text) != nil }

    /// The buyer's shard.
    package var shard: Shard {
        let bytes = UUID(uuidString: rawValue)?.uuid ?? UUID().uuid
        let high = UInt16(bytes.6 & 0x0F) << 12
        return Shard(rawValue: high | UInt16(bytes.7) << 4 | UInt16(bytes.8 >> 2) & 0x0F)
    }
}
