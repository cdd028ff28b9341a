/// How a purchase came to a holder by restores under other logins.
package struct Transferred: Codable, Hashable, Sendable, DirectlyCoded {
    /// How often the purchase has moved, at least once: of two holders the one of the later transfer holds it.
    package var count: Int
    /// The buyer who paid, and keeps the amounts.
    package var payerId: BuyerID
}
