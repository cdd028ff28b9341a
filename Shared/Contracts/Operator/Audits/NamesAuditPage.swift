/// What a partition of Receipts knows of some names of purchases.
package struct NamesAuditPage: Codable, Hashable, Sendable {
    /// To which chain a name belongs, as the name's own partition says.
    package struct Row: Codable, Hashable, Sendable {
        /// With its kind, such as `transaction/2000000812345678`.
        package var name: String
        package var environment: Environment
        package var bundleId: BundleID
        package var homeId: TransactionID
    }

    /// Where a name is, as the purchase says that states it.
    package enum Place: String, Codable, Sendable, CaseIterable {
        /// The purchase has it, or its row leads there.
        case home
        /// The purchase has gone to another chain.
        case alias
        /// Another chain has it, and the purchase has stayed.
        case elsewhere
        /// The name's partition has not answered yet.
        case asked
    }

    /// A purchase that states a name.
    package struct Claim: Codable, Hashable, Sendable {
        package var name: String
        package var environment: Environment
        package var bundleId: BundleID
        package var originalTransactionId: TransactionID
        package var purchaseId: PurchaseID
        package var place: Place
        /// Whether a buyer holds it.
        package var isHeld: Bool
        /// How long the answer has been missing; nil unless it is.
        package var ageMs: Int64? = nil
    }

    package var rows: [Row]
    package var claims: [Claim]
    /// The next page's `after`; absent on the last page, and where single names were asked for.
    package var next: String? = nil
}
