/// The id of a submission: always the same for the same proof and buyer.
///
/// `r` + 4 hex digits of the buyer's shard + 4 of the shard where the submission lies + 32 hex digits of SHA-256 over
/// (bundle id, buyer, the proof's signed content and its signature).
package struct ReceiptID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package init(shard: Shard, place: Shard, digest: some Sequence<UInt8>) {
        let key = [shard, place].flatMap {
            [UInt8($0.rawValue >> 8), UInt8(truncatingIfNeeded: $0.rawValue)]
        }
        rawValue = "r" + (key + digest.prefix(16)).hexadecimal
    }

    package static func isValid(_ text: String) -> Bool {
        text.withBytes { utf8 in
            utf8.count == 41 && utf8[0] == UInt8(ascii: "r")
                && utf8.dropFirst().allSatisfy(String.isHexadecimalByte)
        }
    }

    /// The buyer's shard: Notifications answers there.
    package var shard: Shard { shard(after: 1) }

    /// The shard of the Receipts partition that stores the submission: the claim's, or the buyer's.
    package var place: Shard { shard(after: 5) }

    private func shard(after count: Int) -> Shard {
        Shard(rawValue: UInt16(rawValue.dropFirst(count).prefix(4), radix: 16) ?? 0)
    }
}
