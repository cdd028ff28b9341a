import Contracts
import Database
import Delivery
import Program

/// The claims of purchases, as an audit compares them; read from columns alone.
struct PurchaseAuditStore {
    let connection: any Connection

    func page(_ request: PurchasesAuditV1) throws(StoreError) -> PurchasePage<ClaimAudit.Row> {
        try PurchasePage(request, purchaseId: \.purchaseId) { rows throws(StoreError) in try claims(rows) }
    }

    private func claims(_ rows: SQL) throws(StoreError) -> [ClaimAudit.Row] {
        try connection.rows(Self.query(rows)) { row throws(StoreError) in
            ClaimAudit.Row(
                purchaseId: try row[0],
                environment: try row[1],
                bundleId: try row[2],
                state: try Self.state(row),
                since: try row[6]
            )
        }
    }

    private static func state(_ row: Row) throws(StoreError) -> ClaimAudit.State {
        switch try row[5] as String {
        case "held": return .held(Claim.Holder(buyer: try row[3], order: try row[4]))
        case "proposed": return .proposed
        case "orphan": return .orphan
        case "waiting": return .waiting
        case let state: throw .corrupt("claim.state is \(state)")
        }
    }

    static func query(_ rows: SQL) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, buyer_id, order_id, state, since FROM claim
        WHERE \(rows)
        """
    }
}
