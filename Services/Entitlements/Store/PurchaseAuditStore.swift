import Contracts
import Database
import Delivery
import Program

/// The grants of purchases, and the entries that gave their goods, as an audit compares them.
struct PurchaseAuditStore {
    let connection: any Connection

    func page(_ request: PurchasesAuditV1) throws(StoreError) -> PurchasePage<LedgerAudit.Granted> {
        try PurchasePage(request, purchaseId: \.purchase.purchaseId, read: grants)
    }

    private func grants(_ rows: SQL) throws(StoreError) -> [LedgerAudit.Granted] {
        try connection.rows(Self.grantsQuery(rows)) { row throws(StoreError) in
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
                wasPayers: try row[7],
                hasLeft: try row[8],
                isForfeited: try row[9],
                entries: try row[10]
            )
        }
    }

    /// What a grant in this state is to Orders, and whether it may have given goods; as `GrantResult` says.
    private static func outcome(of state: String) throws(StoreError) -> (GrantOutcome, isGiven: Bool) {
        switch state {
        case "granted": return (.granted, true)
        case "reversed": return (.reversed, true)
        case "tombstone": return (.reversed, false)
        case "parked": return (.parked, false)
        case "void": return (.reversed, true)
        default: throw .corrupt("grants.state is \(state)")
        }
    }

    /// The columns of each grant, without its document, and its entries as `LedgerAudit.Granted` counts them.
    static func grantsQuery(_ rows: SQL) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, buyer_id, order_id, state, goods, was_payers, has_left,
          is_forfeited, (
            SELECT COUNT(*) FROM ledger
            WHERE kind = 'grant' AND ledger.purchase_id = grants.purchase_id
              AND ledger.environment = grants.environment AND ledger.bundle_id = grants.bundle_id
              AND +ledger.buyer_id = grants.buyer_id
          )
        FROM grants WHERE \(rows)
        """
    }

    /// How many entries gave the goods of a page's purchases.
    func entries(of page: PurchasePage<LedgerAudit.Granted>) throws(StoreError) -> Int {
        try connection.value(Self.entriesQuery(page.condition)) ?? 0
    }

    static func entriesQuery(_ purchases: SQL) -> SQL {
        "SELECT COUNT(*) FROM ledger WHERE kind = 'grant' AND \(purchases)"
    }

    /// How many entries gave the goods of each grant of a page's purchases.
    func given(_ page: PurchasePage<LedgerAudit.Granted>) throws(StoreError) -> [LedgerAudit.GrantKey: Int] {
        var given: [LedgerAudit.GrantKey: Int] = [:]
        for row in try connection.rows(Self.givenQuery(page.condition)) {
            let purchase = LedgerAudit.PurchaseKey(
                purchaseId: try row[0],
                environment: try row[1],
                bundleId: try row[2]
            )
            given[LedgerAudit.GrantKey(purchase: purchase, buyerId: try row[3])] = try row[4] as Int
        }
        return given
    }

    static func givenQuery(_ purchases: SQL) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, buyer_id, COUNT(*) FROM ledger
        WHERE kind = 'grant' AND \(purchases)
        GROUP BY purchase_id, environment, bundle_id, buyer_id
        """
    }
}
