/// Whether a purchase has given amounts, which move by two persons alone.
package struct GivenAmounts: Codable, Hashable, Sendable {
    /// Nil where it has given nothing yet.
    package var hasGiven: Bool? = nil
}
