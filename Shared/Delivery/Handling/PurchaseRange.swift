package import Contracts
package import Database

/// The rows of a table that a page of an audit has: those of a range of purchases, or of some purchases.
package struct PurchaseRange {
    /// Rows of a page: few enough for an owner whom buyers ask meanwhile.
    package static let rowsPerPage = 1_000

    /// Of the table's column `purchase_id`.
    package let condition: SQL
    /// Where the next page begins; nil for the last page.
    package let next: PurchaseID?

    /// The first page's worth of what `request` asks for, from a table with an index on `purchase_id`.
    ///
    /// A page ends behind a purchase id, so that those of two apps with the same id are on one page.
    package init(
        _ request: PurchasesAuditV1,
        in table: String,
        of connection: any Connection
    ) throws(StoreError) {
        if let ids = request.purchaseIds {
            let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            condition = "purchase_id IN (SELECT value FROM json_each(\(list))) AND purchase_id IS NOT NULL"
            next = nil
            return
        }
        let start = Self.condition(request.after, request.upTo)
        let end: PurchaseID? = try connection.value(
            """
            SELECT purchase_id FROM \(raw: table) WHERE \(start)
            ORDER BY purchase_id LIMIT 1 OFFSET \(Self.rowsPerPage - 1)
            """
        )
        condition = Self.condition(request.after, end ?? request.upTo)
        next = end == request.upTo ? nil : end
    }

    private static func condition(_ after: PurchaseID?, _ last: PurchaseID?) -> SQL {
        let start: SQL = "purchase_id > \(after?.rawValue ?? "")"
        guard let last else { return start }
        return "\(start) AND purchase_id <= \(last)"
    }
}

extension RequestRefusal {
    /// A request that names too many purchases.
    package static let tooManyPurchases = RequestRefusal(
        .invalid,
        "A request names at most \(PurchasesAuditV1.maximumIds) purchases.",
        field: "purchaseIds"
    )
}

extension PurchasesAuditV1 {
    /// Whether it names more purchases than one request may.
    package var isTooLong: Bool { (purchaseIds?.count ?? 0) > Self.maximumIds }
}
