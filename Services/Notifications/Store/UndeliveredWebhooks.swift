import Contracts
import Database
import Delivery
import Domain

/// The first undelivered webhook of each buyer, those first that have waited longest.
///
/// Only those are due. A page reads its own rows alone, however many wait for a server that is down.
struct UndeliveredWebhooks {
    /// The highest count of what waits behind one, so that the query stays fast.
    static let countedAtMost = 1_000

    let connection: any Connection

    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let ids = try connection.rows(Self.query(request)) { row throws(StoreError) -> Int64 in
            try row["id"]
        }
        var rows: [DeskPage.Row] = []
        for id in ids.prefix(request.limit) {
            let row = try connection.row("SELECT * FROM webhook WHERE rowid = \(id)")
            if let row { rows.append(try self.row(row)) }
        }
        return DeskPage(rows: rows, hasMore: ids.count > request.limit)
    }

    static func query(_ request: DeskListV1) -> SQL {
        let start = request.start
        let before: SQL = request.before.map { " AND created_at < \($0)" } ?? ""
        return """
            SELECT rowid AS id FROM webhook INDEXED BY webhook_due_since
            WHERE due_at IS NOT NULL AND (created_at, event_id) > (\(start.since), \(start.key))\(before)
            ORDER BY created_at, event_id LIMIT \(request.limit + 1)
            """
    }

    private func row(_ row: Row) throws(StoreError) -> DeskPage.Row {
        let (app, subject): (BundleID, String) = (try row["bundle_id"], try row["subject"])
        var entry = DeskPage.Row(
            kind: .undelivered,
            place: DeskPage.Place(since: try row["created_at"], key: try row["event_id"]),
            bundleId: app
        )
        entry.purchaseId = PurchaseID(rawValue: try row["about"])
        entry.buyerId = BuyerID(rawValue: subject)
        (entry.reason, entry.attempts, entry.next) = (
            try row["answer"], try row["attempts"], try row["due_at"]
        )
        let waiting: Int? = try connection.value(
            """
            SELECT COUNT(*) FROM (
              SELECT 1 AS one FROM webhook
              WHERE bundle_id = \(app) AND subject = \(subject) AND delivered_at IS NULL LIMIT \(Self.countedAtMost)
            ) AS counted
            """
        )
        entry.behind = max(0, (waiting ?? 1) - 1)
        return entry
    }
}
