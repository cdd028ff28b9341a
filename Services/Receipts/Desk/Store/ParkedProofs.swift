import Contracts
import Database
import Delivery
import Domain

/// The parked proofs and notifications of Apple, by the partial indexes of what is parked.
struct ParkedProofs {
    let connection: any Connection

    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let proofs = try connection.rows(Self.proofs(request)) { row throws(StoreError) in
            (DeskPage.Place(since: try row["judged_at"], key: try row["receipt_id"]), true)
        }
        let notifications = try connection.rows(Self.notifications(request)) { row throws(StoreError) in
            (DeskPage.Place(since: try row["judged_at"], key: try row["notification_uuid"]), false)
        }
        let places = (proofs + notifications).sorted { $0.0 < $1.0 }
        var rows: [DeskPage.Row] = []
        for (place, isProof) in places.prefix(request.limit) {
            if let row = try isProof ? proof(at: place) : notification(at: place) { rows.append(row) }
        }
        return DeskPage(rows: rows, hasMore: places.count > request.limit)
    }

    static func proofs(_ request: DeskListV1) -> SQL {
        query(request, "submission", "submission_parked_since", "receipt_id")
    }

    static func notifications(_ request: DeskListV1) -> SQL {
        query(request, "server_notification", "server_notification_parked_since", "notification_uuid")
    }

    private static func query(
        _ request: DeskListV1,
        _ table: String,
        _ index: String,
        _ key: String
    ) -> SQL {
        let start = request.start
        let before: SQL = request.before.map { " AND judged_at < \($0)" } ?? ""
        return """
            SELECT \(raw: key), judged_at FROM \(raw: table) INDEXED BY \(raw: index)
            WHERE state = 'parked' AND (judged_at, \(raw: key)) > (\(start.since), \(start.key))\(before)
            ORDER BY judged_at, \(raw: key) LIMIT \(request.limit + 1)
            """
    }

    private func proof(at place: DeskPage.Place) throws(StoreError) -> DeskPage.Row? {
        try connection.row(
            "SELECT receipt_id, bundle_id, buyer_id, reason FROM submission WHERE receipt_id = \(place.key)"
        ) { row throws(StoreError) in
            var entry = DeskPage.Row(kind: .parkedProof, place: place, bundleId: try row["bundle_id"])
            (entry.receiptId, entry.buyerId) = (try row["receipt_id"], try row["buyer_id"])
            entry.reason = try row["reason"]
            return entry
        }
    }

    /// What cannot be read names no app.
    private func notification(at place: DeskPage.Place) throws(StoreError) -> DeskPage.Row? {
        try connection.row(
            "SELECT transaction_id, type, reason FROM server_notification WHERE notification_uuid = \(place.key)"
        ) { row throws(StoreError) in
            var entry = DeskPage.Row(
                kind: .parkedNotification,
                place: place,
                bundleId: BundleID(unchecked: "-")
            )
            entry.purchaseId = try row["transaction_id"]
            let (type, reason): (String?, String?) = (try row["type"], try row["reason"])
            entry.reason = [type, reason].compactMap(\.self).joined(separator: ": ")
            return entry
        }
    }
}
