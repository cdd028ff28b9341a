package import Contracts
package import Database
import Program

extension Connection {
    /// The steps in which the store carries out a query.
    package func plan(of query: SQL) throws(StoreError) -> [String] {
        try rows("EXPLAIN QUERY PLAN \(query)") { row throws(StoreError) in try row[3] }
    }

    /// The steps of a query that reads an audit's page, and of the one that reads the page's last purchase.
    package func plan(
        of query: (SQL) -> SQL,
        for request: PurchasesAuditV1
    ) throws(StoreError) -> [String] {
        var steps: [String] = []
        _ = try PurchasePage<PurchaseID>(request, purchaseId: { $0 }) { rows throws(StoreError) in
            steps += try plan(of: query(rows))
            return []
        }
        return steps + (try plan(of: query("purchase_id = \(PurchaseID(unchecked: "1"))")))
    }
}
