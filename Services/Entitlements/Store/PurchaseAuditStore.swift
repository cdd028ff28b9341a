import Contracts
import Database
import Delivery

/// The grants of purchases, and the entries that gave their goods, as an audit compares them.
struct PurchaseAuditStore {
    let connection: any Connection

    func grants(in range: PurchaseRange) throws(StoreError) -> [LedgerAudit.Granted] {
        try connection.rows(Self.grantsQuery(range)) { row throws(StoreError) in
            let state: String = try row[5]
            let (outcome, isGiven) = try Self.outcome(of: state)
            let purchase = PurchasesAuditPage.Purchase(
                try row[0],
                try row[1],
                of: try row[2],
                by: try row[3],
                for: try row[4],
                outcome
            )
            return LedgerAudit.Granted(
                purchase: purchase,
                goods: isGiven ? try row[6] : 0,
                isPayers: try row[7],
                hasLeft: try row[8]
            )
        }
    }

    /// What Orders is told of a grant in this state, and whether it ever gave goods; as `GrantResult` says.
    private static func outcome(of state: String) throws(StoreError) -> (GrantOutcome, isGiven: Bool) {
        switch state {
        case "granted": return (.granted, true)
        case "reversed": return (.reversed, true)
        case "tombstone": return (.reversed, false)
        case "parked": return (.parked, false)
        default: throw .corrupt("grants.state is \(state)")
        }
    }

    /// The columns of each grant, the number of its goods and its tenure; its document is not decoded.
    static func grantsQuery(_ range: PurchaseRange) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, buyer_id, order_id, state,
          json_array_length(document, '$.goods'), COALESCE(json_extract(document, '$.tenure.first'), 0) = 0,
          json_extract(document, '$.tenure.leftTo') IS NOT NULL FROM grants WHERE \(range.condition)
        """
    }

    /// How many entries gave the goods of each purchase, in the order of `ledger_grants_once`.
    func given(in range: PurchaseRange) throws(StoreError) -> [LedgerAudit.PurchaseKey: LedgerAudit.Given] {
        var given: [LedgerAudit.PurchaseKey: LedgerAudit.Given] = [:]
        for row in try connection.rows(Self.givenQuery(range)) {
            let key = LedgerAudit.PurchaseKey(
                purchaseId: try row[0],
                environment: try row[1],
                bundleId: try row[2]
            )
            given[key] = LedgerAudit.Given(count: try row[3], first: try row[4], last: try row[5])
        }
        return given
    }

    static func givenQuery(_ range: PurchaseRange) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, COUNT(*), MIN(buyer_id), MAX(buyer_id) FROM ledger
        WHERE kind = 'grant' AND \(range.condition)
        GROUP BY purchase_id, environment, bundle_id
        """
    }
}
