/// The entry that a buyer's wallet got, and the balance after it; a repeated request is told the same.
package struct WalletEntryV1: Codable, Hashable, Sendable {
    package var entryId: String
    package var balance: Int64
}
