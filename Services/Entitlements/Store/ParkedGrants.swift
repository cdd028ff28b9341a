import Contracts
import Database
import Domain

/// The parked grants, those first that have waited longest; a page reads its own rows alone.
struct ParkedGrants {
    let connection: any Connection

    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let keys = try connection.rows(Self.query(request)) { row throws(StoreError) -> [String] in
            [try row["purchase_id"], try row["environment"], try row["bundle_id"], try row["buyer_id"]]
        }
        let grants = GrantStore(connection: connection)
        var rows: [DeskPage.Row] = []
        for key in keys.prefix(request.limit) {
            let record = try grants.records(purchaseId: key[0]).first { $0.key == key }
            if let record { rows.append(Self.row(record)) }
        }
        return DeskPage(rows: rows, hasMore: keys.count > request.limit)
    }

    private static let key = "purchase_id, environment, bundle_id, buyer_id"

    static func query(_ request: DeskListV1) -> SQL {
        let start = request.start
        let key = DeskKey.columns(of: start.key, count: 4)
        let before: SQL = request.before.map { " AND changed_at < \($0)" } ?? ""
        return """
            SELECT \(raw: Self.key) FROM grants INDEXED BY grants_parked_since
            WHERE \(GrantStore.isParked) AND (changed_at, \(raw: Self.key))
              > (\(start.since), \(key[0]), \(key[1]), \(key[2]), \(key[3]))\(before)
            ORDER BY changed_at, \(raw: Self.key) LIMIT \(request.limit + 1)
            """
    }

    private static func row(_ record: GrantRecord) -> DeskPage.Row {
        DeskPage.Row(
            kind: .parkedGrant,
            place: DeskPage.Place(since: record.changedAt, key: DeskKey.text(of: record.key)),
            bundleId: record.facts.bundleId,
            environment: record.facts.environment,
            orderId: record.order.orderId,
            purchaseId: record.facts.purchaseId,
            receiptId: record.receiptId,
            buyerId: record.grant.buyerId,
            productId: record.facts.productId,
            price: record.facts.price,
            currency: record.facts.currency,
            reason: record.grant.state.reason
        )
    }
}
