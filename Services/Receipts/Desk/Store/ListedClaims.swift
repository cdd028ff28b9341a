import Contracts
import Database
import Delivery
import Domain

/// The purchases that nobody holds, or that are held up, by the partial indexes of their states.
struct ListedClaims {
    private static let key = "purchase_id, bundle_id, environment"

    let connection: any Connection

    /// Genuine purchases without a holder; shared ones are ordinary, because most of a family never open the app.
    func orphans(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        try page(request, [Self.orphans(request)])
    }

    /// Those that wait for Apple's word, and those that two buyers claim.
    func heldUp(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        try page(request, Self.heldUp(request))
    }

    static func orphans(_ request: DeskListV1) -> SQL {
        query(request, "claim_orphan_since", "state = 'orphan' AND shared = 0")
    }

    static func heldUp(_ request: DeskListV1) -> [SQL] {
        [
            query(request, "claim_waiting_since", "state = 'waiting'"),
            query(request, "claim_contested", "claimants IS NOT NULL AND state = 'held'"),
        ]
    }

    private static func query(_ request: DeskListV1, _ index: String, _ condition: String) -> SQL {
        let start = request.start
        let key = DeskKey.columns(of: start.key, count: 3)
        let before: SQL = request.before.map { " AND since < \($0)" } ?? ""
        return """
            SELECT \(raw: Self.key), since FROM claim INDEXED BY \(raw: index)
            WHERE \(raw: condition) AND (since, \(raw: Self.key))
              > (\(start.since), \(key[0]), \(key[1]), \(key[2]))\(before)
            ORDER BY since, \(raw: Self.key) LIMIT \(request.limit + 1)
            """
    }

    private func page(_ request: DeskListV1, _ queries: [SQL]) throws(StoreError) -> DeskPage {
        var found: [(place: DeskPage.Place, key: PurchaseKey)] = []
        for query in queries {
            found += try connection.rows(query) { row throws(StoreError) in
                let key = try PurchaseKey(row)
                return (DeskPage.Place(since: try row["since"], key: DeskKey.text(of: key.columns)), key)
            }
        }
        found.sort { $0.place < $1.place }
        var rows: [DeskPage.Row] = []
        for (place, key) in found.prefix(request.limit) {
            let row = try connection.row("SELECT * FROM claim WHERE \(key.condition)")
            if let row { rows.append(try self.row(row, key, at: place)) }
        }
        return DeskPage(rows: rows, hasMore: found.count > request.limit)
    }

    private func row(
        _ row: Row,
        _ key: PurchaseKey,
        at place: DeskPage.Place
    ) throws(StoreError) -> DeskPage.Row {
        let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
        let state: String = try row["state"]
        var entry = DeskPage.Row(
            kind: state == "orphan" ? .orphan : state == "waiting" ? .awaitsApple : .contested,
            place: place,
            bundleId: key.bundleID
        )
        (entry.environment, entry.purchaseId) = (key.environment, key.purchaseID)
        (entry.orderId, entry.buyerId) = (try row["order_id"], try row["buyer_id"])
        entry.receiptId = try row["proposer_receipt_id"]
        entry.productId = ProductID(rawValue: signed.productId)
        (entry.price, entry.currency, entry.account) = (
            signed.price, signed.currency, signed.appTransactionId
        )
        entry.next = try row["evidence_due_at"]
        if state == "orphan" { entry.holders = try holders(of: row, key) }
        if let others: [BuyerID] = try row.json("claimants") {
            entry.reason = others.map(\.rawValue).joined(separator: " ")
        }
        return entry
    }

    /// Who is likely to have bought an orphan, as this partition sees it: the holder of the newest other period of its
    /// chain, and whoever handed it in for somebody else.
    private func holders(of row: Row, _ key: PurchaseKey) throws(StoreError) -> [DeskPage.Holder] {
        let chain: String = try row["original_transaction_id"]
        let place: SQL = "bundle_id = \(key.bundleID) AND environment = \(key.environment) AND state = 'held'"
        let holder: BuyerID? = try connection.value(
            """
            SELECT buyer_id FROM (
              SELECT buyer_id, purchased_at FROM claim WHERE purchase_id = \(chain) AND \(place)
              UNION ALL
              SELECT buyer_id, purchased_at FROM claim
              WHERE original_transaction_id = \(chain) AND purchase_id <> original_transaction_id AND \(place)
            ) AS chain ORDER BY purchased_at DESC LIMIT 1
            """
        )
        let submitter: BuyerID? = try row["proposer_id"]
        return [
            holder.map { DeskPage.Holder(buyerId: $0, sign: .chain) },
            submitter.map { DeskPage.Holder(buyerId: $0, sign: .handedIn) },
        ].compactMap(\.self)
    }
}
