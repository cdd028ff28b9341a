/// The id of a submission: always the same for the same proof and buyer.
///
/// `r` + 4 hex digits of the buyer's shard + 32 hex digits of SHA-256 over (bundle id, buyer, the proof's
/// signed content and its signature).
package struct ReceiptID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package init(shard: Shard, digest: some Sequence<UInt8>) {
        let key = String(shard.rawValue, radix: 16)
        let hexadecimal = digest.prefix(16).map { byte in
            byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
        }
        rawValue = "r" + String(repeating: "0", count: 4 - key.count) + key + hexadecimal.joined()
    }

    package static func isValid(_ text: String) -> Bool {
        text.utf8.count == 37 && text.utf8.first == UInt8(ascii: "r")
            && text.utf8.dropFirst().allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    package var shard: Shard { Shard(rawValue: UInt16(rawValue.dropFirst().prefix(4), radix: 16) ?? 0) }
}
