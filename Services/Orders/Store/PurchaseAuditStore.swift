import Contracts
import Database
import Delivery
import Program

/// The purchases that have paid orders, as an audit compares them; read from columns alone.
struct PurchaseAuditStore {
    /// A purchase with the time at which it paid its order.
    struct Paid: Equatable {
        let purchase: PurchasesAuditPage.Purchase
        let paidAt: Timestamp
    }

    let connection: any Connection

    func page(_ request: PurchasesAuditV1) throws(StoreError) -> PurchasePage<Paid> {
        try PurchasePage(request, purchaseId: \.purchase.purchaseId) { rows throws(StoreError) in
            try paid(rows)
        }
    }

    private func paid(_ rows: SQL) throws(StoreError) -> [Paid] {
        try connection.rows(Self.query(rows)) { row throws(StoreError) in
            let fulfilment: Fulfilment = try row[5]
            let purchase = PurchasesAuditPage.Purchase(
                try row[0],
                try row[1],
                of: try row[2],
                by: try row[3],
                for: try row[4],
                fulfilment.outcome
            )
            return Paid(purchase: purchase, paidAt: try row[6])
        }
    }

    static func query(_ rows: SQL) -> SQL {
        """
        SELECT purchase_id, environment, bundle_id, COALESCE(holder_id, buyer_id), order_id, fulfilment, paid_at
        FROM orders
        WHERE \(rows)
        """
    }
}
