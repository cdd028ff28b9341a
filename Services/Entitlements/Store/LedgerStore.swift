import Contracts
import Database
import EntitlementsCore

/// The ledger of every buyer: lines are added and never changed.
struct LedgerStore {
    let connection: any Connection

    /// The number of the last line in a buyer's ledger; 0 when it is empty.
    func lastNumber(bundleId: BundleID, buyerId: BuyerID) throws(StoreError) -> Int64 {
        try connection.row(
            "SELECT COALESCE(MAX(number), 0) FROM ledger WHERE bundle_id = ? AND buyer_id = ?",
            [.text(bundleId.rawValue), .text(buyerId.rawValue)]
        )?.integer(0) ?? 0
    }

    /// Adds a line to a buyer's ledger.
    func append(_ entry: LedgerEntry, number: Int64, of record: GrantRecord) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO ledger (bundle_id, buyer_id, number, entry_id, kind, entitlement, amount, transaction_id,
              purchase_id, environment, time, event_id, causation_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(record.facts.bundleId.rawValue), .text(record.grant.buyerId.rawValue), .integer(number),
                .text(entry.entryId), .text(entry.kind.rawValue), .text(entry.entitlement),
                .integer(entry.amount),
                .text(entry.transactionId.rawValue), .text(entry.purchaseId.rawValue),
                .text(entry.environment.rawValue),
                .integer(entry.time.milliseconds), .text(record.eventId.rawValue),
                Value(record.causationId?.rawValue),
            ]
        )
    }

    /// The number of this line in a buyer's ledger; nil when it is not there.
    func number(
        of entry: EntryID,
        bundleId: BundleID,
        buyerId: BuyerID
    ) throws(StoreError) -> Int64? {
        try connection.row(
            "SELECT number FROM ledger WHERE entry_id = ? AND bundle_id = ? AND buyer_id = ?",
            [.text(entry.text), .text(bundleId.rawValue), .text(buyerId.rawValue)]
        )?.integer(0)
    }

    /// The lines of a page that begins after line `number`, and one more if there is another page.
    func lines(
        of page: LedgerPage,
        after number: Int64,
        for request: LedgerGetV1
    ) throws(StoreError) -> [LedgerEntry] {
        let filter = request.environment == nil ? "" : "AND ledger.environment = ?"
        let environment: [Value] = request.environment.map { [.text($0.rawValue)] } ?? []
        return try connection.rows(
            """
            SELECT \(Self.columns) FROM ledger JOIN grants ON \(Self.samePurchase)
            WHERE ledger.bundle_id = ? AND ledger.buyer_id = ? AND ledger.number > ? \(filter)
            ORDER BY ledger.number LIMIT ?
            """,
            [
                .text(request.bundleId.rawValue), .text(request.buyerId.rawValue),
                .integer(number),
            ] + environment + [.integer(Int64(page.limit) + 1)]
        ).map { row throws(StoreError) in try Line(row).entry }
    }

    /// The lines that one purchase has in its buyer's ledger, oldest first.
    func lines(of record: GrantRecord) throws(StoreError) -> [Line] {
        try connection.rows(
            """
            SELECT \(Self.columns) FROM ledger JOIN grants ON \(Self.samePurchase)
            WHERE ledger.bundle_id = ? AND ledger.buyer_id = ? AND ledger.purchase_id = ?
              AND ledger.environment = ?
            ORDER BY ledger.number
            """,
            [
                .text(record.facts.bundleId.rawValue), .text(record.grant.buyerId.rawValue),
                .text(record.facts.purchaseId.rawValue), .text(record.facts.environment.rawValue),
            ]
        ).map(Line.init)
    }

    private static let samePurchase = """
        grants.purchase_id = ledger.purchase_id AND grants.environment = ledger.environment
          AND grants.bundle_id = ledger.bundle_id
        """

    private static let columns = """
        ledger.entry_id, ledger.kind, ledger.entitlement, ledger.amount, ledger.time, ledger.event_id,
          ledger.causation_id, ledger.transaction_id, grants.buyer_id, grants.state, grants.reason, grants.document,
          grants.receipt_id, grants.changed_at, grants.event_id, grants.causation_id
        """

    /// A line with the request that led to it.
    struct Line: Equatable {
        let entry: LedgerEntry
        let eventId: EventID
        let causationId: EventID?

        init(_ row: Row) throws(StoreError) {
            let grant = try GrantRecord(Row(Array(row.values.dropFirst(8))))
            guard let kind = LedgerEntry.Kind(rawValue: try row.text(1)) else {
                throw .corrupt("ledger.kind")
            }
            eventId = EventID(unchecked: try row.text(5))
            causationId = try row.optionalText(6).map(EventID.init(unchecked:))
            entry = LedgerEntry(
                entryId: try row.text(0),
                kind: kind,
                entitlement: try row.text(2),
                amount: try row.integer(3),
                transactionId: TransactionID(unchecked: try row.text(7)),
                purchaseId: grant.facts.purchaseId,
                productId: grant.facts.productId,
                order: grant.order,
                environment: grant.facts.environment,
                time: Timestamp(milliseconds: try row.integer(4))
            )
        }
    }
}
