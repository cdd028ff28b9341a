package import Contracts
package import Database
import Delivery

/// A page of an audit: a table's records of a range of purchases, or of some purchases.
package struct PurchasePage<Record> {
    package let records: [Record]
    /// Where the next page begins; nil for the last page.
    package let next: PurchaseID?
    /// Of a column `purchase_id`: the page's purchases, also in another table.
    package let condition: SQL

    /// The first page of what `request` asks for.
    ///
    /// A page ends behind a purchase id, so that those of two apps with the same id are on one page. The last id is
    /// therefore read again, with all its records.
    ///
    /// - Parameters:
    ///   - request: Which purchases, and from where on.
    ///   - purchaseId: The purchase of a record.
    ///   - read: Reads a table with an index on `purchase_id`; it is given what follows `WHERE`.
    /// - Throws: What `read` throws.
    package init(
        _ request: PurchasesAuditV1,
        purchaseId: (Record) -> PurchaseID,
        read: (SQL) throws(StoreError) -> [Record]
    ) throws(StoreError) {
        if let ids = request.purchaseIds {
            let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            condition = "purchase_id IN (SELECT value FROM json_each(\(list))) AND purchase_id IS NOT NULL"
            records = try read(condition)
            next = nil
            return
        }
        let range = PurchaseRange(after: request.after, upTo: request.upTo)
        let first = try read(range.firstRows)
        guard first.count == PurchaseRange.rowsPerPage, let end = first.last.map(purchaseId) else {
            (records, next, condition) = (first, nil, range.condition)
            return
        }
        let last = try read("purchase_id = \(end)")
        let others = first.lastIndex { purchaseId($0) != end }
        records = (others.map { first[...$0] } ?? []) + last
        next = end == request.upTo ? nil : end
        condition = PurchaseRange(after: request.after, upTo: end).condition
    }
}

/// Purchases between two ids.
private struct PurchaseRange {
    /// Rows of a page: few enough for an owner whom buyers ask meanwhile.
    static let rowsPerPage = 1_000

    /// Nil from the first on.
    let after: PurchaseID?
    /// Nil to the last.
    let upTo: PurchaseID?

    /// Of a column `purchase_id`.
    var condition: SQL {
        let start: SQL = "purchase_id > \(after?.rawValue ?? "")"
        guard let upTo else { return start }
        return "\(start) AND purchase_id <= \(upTo)"
    }

    /// Those of a page, in the order of their purchases.
    var firstRows: SQL { "\(condition) ORDER BY purchase_id LIMIT \(Self.rowsPerPage)" }
}
