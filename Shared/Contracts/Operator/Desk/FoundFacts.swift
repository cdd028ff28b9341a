/// What a partition knows of what was searched for.
package struct FoundFacts: Codable, Hashable, Sendable {
    /// Who has bought with an Apple Account.
    package struct AccountBuyer: Codable, Hashable, Sendable {
        /// Apple's id of the app on the account.
        package var account: String
        package var bundleId: BundleID
        package var environment: Environment
        package var buyerId: BuyerID
    }

    package var facts: [DeskFact] = []
    /// Ids under which more may be known.
    package var related: [String] = []
    /// The buyers of the accounts that were asked for.
    package var buyers: [AccountBuyer] = []
    /// Whether the store has more of what was searched for.
    package var isCut: Bool = false

    /// The first so many rows of a query, which asks for one more: where that one is there, the answer says so.
    package mutating func first<Row>(_ limit: Int, of rows: [Row]) -> ArraySlice<Row> {
        if rows.count > limit { isCut = true }
        return rows.prefix(limit)
    }
}
