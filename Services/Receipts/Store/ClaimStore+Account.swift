import Contracts
import Database
import Delivery

extension ClaimStore {
    /// Who holds purchases that were made with an Apple Account, by their ids.
    ///
    /// No index has the account, as that would cost every purchase; so only the newest purchases are looked at.
    func holders(withAccountOf lookup: ConsentLookupV1) throws -> [BuyerID] {
        let member = "%\"appTransactionId\":\"\(lookup.appTransactionId)\"%"
        let found = try connection.rows(
            """
            SELECT buyer_id, signed_transaction FROM (
              SELECT bundle_id, environment, buyer_id, signed_transaction FROM claim
              ORDER BY purchase_id DESC, bundle_id DESC, environment DESC LIMIT \(EventSearch.maximumRows)
            ) AS newest
            WHERE buyer_id IS NOT NULL AND bundle_id = \(lookup.bundleId)
              AND environment = \(lookup.environment) AND signed_transaction LIKE \(member)
            """
        )
        var buyers: Set<BuyerID> = []
        for row in found {
            let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
            if signed.appTransactionId == lookup.appTransactionId { buyers.insert(try row["buyer_id"]) }
        }
        return Array(buyers.sorted { $0.rawValue < $1.rawValue }.prefix(Self.maximumAccountHolders))
    }

    /// Most buyers of one account in one message.
    private static let maximumAccountHolders = 100
}
