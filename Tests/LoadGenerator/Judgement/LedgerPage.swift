import Foundation

/// A page of a ledger.
struct LedgerPage: Decodable, Sendable {
    /// What is judged of one entry.
    struct Entry: Decodable, Sendable {
        struct Metadata: Decodable, Sendable {
            /// The key of a spend or a credit.
            let key: String?
        }

        let entryId: String
        let kind: String
        let entitlement: String
        let amount: Int64
        var from: String
        var to: String
        var undoes: String?
        var transactionId: String?
        var orderId: UUID?
        var reference: String?
        var metadata: Metadata?
        /// Milliseconds since 1970.
        let time: Int64

        /// What the entry adds to what its buyer holds; nil where it is not between the buyer and somebody else, or
        /// goes where its kind does not.
        func change(of buyer: String) -> Int64? {
            let account = "buyer:" + buyer
            guard amount > 0, (from == account) != (to == account) else { return nil }
            let isForBuyer = to == account
            guard isForBuyer != ["reversal", "spend", "transferOut", "compensationReversal"].contains(kind)
            else { return nil }
            return isForBuyer ? amount : -amount
        }
    }

    let entries: [Entry]
    /// The last entry of this page, where another one follows.
    let next: String?
}
