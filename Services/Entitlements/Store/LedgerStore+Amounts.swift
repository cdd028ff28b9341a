import Contracts
import Database

extension LedgerStore {
    /// What the ledger sums up of an entitlement of a purchase's buyer; nil if the purchase gave none of it.
    ///
    /// The store adds up, so that a buyer of very many entries costs no memory.
    func amounts(
        of entitlement: String,
        _ purchase: PurchaseID,
        _ buyer: BuyerKey
    ) throws(StoreError) -> ConsumedShare.Amounts? {
        let place: Int64? = try connection.value(
            """
            SELECT number FROM ledger
            WHERE kind = 'grant' AND purchase_id = \(purchase) AND environment = \(buyer.environment)
              AND bundle_id = \(buyer.bundleId) AND entitlement = \(entitlement) AND +buyer_id = \(buyer.buyerId)
            """
        )
        guard let place else { return nil }
        return try connection.row(Self.amountsQuery(of: entitlement, purchase, at: place, buyer)) {
            row throws(StoreError) in
            ConsumedShare.Amounts(
                granted: try row["granted"],
                own: try row["own"],
                older: try row["older"],
                spent: try row["spent"]
            )
        }
    }

    /// Sums up a buyer's entries of an entitlement; the grant of the purchase is the entry with the number `place`.
    ///
    /// `older` is what is left of the amounts that came before that grant. It sums up the entries before it, and what
    /// refunds of those earlier purchases have taken or given back since.
    private static func amountsQuery(
        of entitlement: String,
        _ purchase: PurchaseID,
        at place: Int64,
        _ buyer: BuyerKey
    ) -> SQL {
        """
        SELECT
          SUM(CASE WHEN kind = 'grant' AND number = \(place) THEN amount ELSE 0 END) AS granted,
          SUM(CASE WHEN purchase_id = \(purchase) THEN \(raw: given) ELSE 0 END) AS own,
          SUM(CASE
            WHEN number < \(place) THEN \(raw: given)
            WHEN kind NOT IN ('reversal', 'reinstatement', 'compensation', 'compensationReversal') THEN 0
            WHEN EXISTS (
              SELECT 1 FROM ledger AS earlier
              WHERE earlier.kind = 'grant' AND earlier.purchase_id = ledger.purchase_id
                AND earlier.environment = ledger.environment AND earlier.bundle_id = ledger.bundle_id
                AND earlier.entitlement = ledger.entitlement AND +earlier.buyer_id = ledger.buyer_id
                AND +earlier.number < \(place)
            ) THEN \(raw: given)
            ELSE 0 END) AS older,
          SUM(CASE kind WHEN 'spend' THEN amount WHEN 'spendReversal' THEN -amount ELSE 0 END) AS spent
        FROM ledger WHERE \(buyer.condition) AND entitlement = \(entitlement)
        """
    }

    /// What an entry adds to the amounts that were given; what moves to another login is never an amount.
    private static let given = """
        CASE kind WHEN 'grant' THEN amount WHEN 'credit' THEN amount WHEN 'reinstatement' THEN amount
          WHEN 'reversal' THEN -amount WHEN 'compensation' THEN amount WHEN 'compensationReversal' THEN -amount
          ELSE 0 END
        """
}
