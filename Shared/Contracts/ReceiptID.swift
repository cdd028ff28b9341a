/// The id of a submission: always the same for the same proof and buyer.
///
/// `r` + 4 hex digits of the buyer's shard + 32 hex digits of SHA-256 over (bundle id, buyer, the proof's
/// signed content and its signature).
package struct ReceiptID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package init(shard: Shard, digest: some Sequence<UInt8>) {
        let key = [UInt8(shard.rawValue >> 8), UInt8(truncatingIfNeeded: shard.rawValue)]
        rawValue = "r" + (key + digest.prefix(16)).hexadecimal
    }

    package static func isValid(_ text: String) -> Bool {
        text.withBytes { utf8 in
            utf8.count == 37 && utf8[0] == UInt8(ascii: "r")
                && utf8.dropFirst().allSatisfy(String.isHexadecimalByte)
        }
    }

    package var shard: Shard { Shard(rawValue: UInt16(rawValue.dropFirst().prefix(4), radix: 16) ?? 0) }
}
