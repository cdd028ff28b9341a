/// The id of a submission: always the same for the same proof and buyer.
///
/// `r` + 8 hex digits of when the proof says that it was signed, s since 1970 + 4 of the buyer's shard + 4 of the shard
/// where the submission lies + 32 of SHA-256 over (bundle id, buyer, the proof's signed content and its signature).
///
/// The time comes first so that the rows of new proofs lie side by side in the stores, as with UUIDs of version 7
/// (RFC 9562 §2.1). It is 0 where a proof does not say it in plain sight. It is not verified: nothing else may be
/// concluded from it.
package struct ReceiptID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// `signedSeconds`: when the proof says that it was signed, s since 1970, or 0.
    package init(signedSeconds: UInt32, shard: Shard, place: Shard, digest: some Sequence<UInt8>) {
        let key = Self.bytes(signedSeconds) + Self.bytes(shard.rawValue) + Self.bytes(place.rawValue)
        rawValue = "r" + (key + digest.prefix(16)).hexadecimal
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    package static func isValid(_ text: String) -> Bool {
        text.withBytes { utf8 in
            utf8.count == 49 && utf8[0] == UInt8(ascii: "r")
                && utf8.dropFirst().allSatisfy(String.isHexadecimalByte)
        }
    }

    /// The buyer's shard: Notifications answers there.
    package var shard: Shard { shard(after: 9) }

    /// The shard of the Receipts partition that stores the submission: the claim's, or the buyer's.
    package var place: Shard { shard(after: 13) }

    private func shard(after count: Int) -> Shard {
        Shard(rawValue: UInt16(rawValue.dropFirst(count).prefix(4), radix: 16) ?? 0)
    }
}
