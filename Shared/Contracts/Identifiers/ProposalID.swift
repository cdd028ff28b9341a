/// The id of what one operator proposes and another one confirms; it leads to its partition.
///
/// `c` of a compensation, `m` of a move to another buyer + 4 hex digits of the shard + 28 of a digest.
package struct ProposalID: TextIdentifier {
    /// What is proposed.
    package enum Kind: String, Sendable, CaseIterable {
        /// A compensation; Entitlements keeps it beside the buyer's ledger.
        case compensation = "c"
        /// A move to another buyer; Receipts keeps it beside the claim.
        case move = "m"
    }

    private static let digits = 32
    private static let digestBytes = 14

    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// `digest`: at least 14 bytes.
    package init(_ kind: Kind, shard: Shard, digest: some Sequence<UInt8>) {
        let key = [UInt8(shard.rawValue >> 8), UInt8(shard.rawValue & 0xFF)]
        rawValue = kind.rawValue + (key + digest.prefix(Self.digestBytes)).hexadecimal
    }

    package static func isValid(_ text: String) -> Bool {
        Kind(rawValue: String(text.prefix(1))) != nil
            && String(text.dropFirst()).isHexadecimal(digits: digits)
    }

    package var kind: Kind { Kind(rawValue: String(rawValue.prefix(1))) ?? .compensation }

    /// What follows the shard, in hexadecimal.
    package var digest: Substring { rawValue.dropFirst(5) }

    /// The shard of the buyer, or of the purchase's claim.
    package var shard: Shard { Shard(rawValue: UInt16(rawValue.dropFirst().prefix(4), radix: 16) ?? 0) }
}
