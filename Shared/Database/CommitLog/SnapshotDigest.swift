/// A number that other bytes hardly have: FNV-1a of 64 bits, over words of eight bytes.
///
/// Against damage and mistakes, not against anybody who wants to deceive. Cut into other pieces, the same bytes have
/// another digest.
package struct SnapshotDigest: Hashable, Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Of all pieces so far.
    package var value: Int64 { Int64(bitPattern: state) }

    /// Takes the next piece.
    package mutating func add(_ piece: [UInt8]) {
        piece.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            for byte in bytes[offset...] { mix(UInt64(byte)) }
        }
        mix(UInt64(piece.count))
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x0000_0100_0000_01B3
        // A product's high bits never reach the low ones by themselves.
        state ^= state >> 29
    }
}
