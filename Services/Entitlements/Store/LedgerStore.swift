import Contracts
import Database
import Delivery

extension EntryID: ValueConvertible {}

/// The ledger of every buyer: lines are added and never changed.
struct LedgerStore {
    let connection: any Connection

    /// Adds lines behind the last one of the buyer's ledger, and to what the buyer holds.
    func append(_ lines: [Grant.Line], of record: GrantRecord) throws(StoreError) -> [LedgerEntry] {
        guard !lines.isEmpty else { return [] }
        let (bundle, buyer) = (record.facts.bundleId, record.grant.buyerId)
        let last: Int64? = try connection.value(
            "SELECT MAX(number) FROM ledger WHERE bundle_id = \(bundle) AND buyer_id = \(buyer)"
        )
        var entries: [LedgerEntry] = []
        for line in lines {
            var id = EntryID(line, of: record.facts)
            if line.kind != .grant, try number(of: id, bundleId: bundle, buyerId: buyer) != nil {
                id = EntryID(line, of: record.facts, isRepeated: true)
            }
            let entry = LedgerEntry(line, id, of: record)
            entries.append(entry)
            try append(entry, number: (last ?? 0) + Int64(entries.count), of: record)
            try HoldingStore(connection: connection).add(line, of: record)
        }
        return entries
    }

    private func append(_ entry: LedgerEntry, number: Int64, of record: GrantRecord) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO ledger (bundle_id, buyer_id, number, entry_id, kind, entitlement, amount, transaction_id,
              purchase_id, environment, time, event_id, causation_id)
            VALUES (\(record.facts.bundleId), \(record.grant.buyerId), \(number), \(entry.entryId), \(entry.kind),
              \(entry.entitlement), \(entry.amount), \(entry.transactionId), \(entry.purchaseId),
              \(entry.environment), \(entry.time), \(record.eventId), \(record.causationId))
            """
        )
    }

    func number(of entry: EntryID, bundleId: BundleID, buyerId: BuyerID) throws(StoreError) -> Int64? {
        try connection.value(
            """
            SELECT number FROM ledger
            WHERE entry_id = \(entry) AND bundle_id = \(bundleId) AND buyer_id = \(buyerId)
            """
        )
    }

    /// The lines of a page after line `number`, and one more if there is another page.
    func lines(
        of page: LedgerPage,
        after number: Int64,
        for request: LedgerGetV1
    ) throws(StoreError) -> [LedgerEntry] {
        try connection.rows(
            """
            \(raw: Self.select)
            WHERE ledger.bundle_id = \(request.bundleId) AND ledger.buyer_id = \(request.buyerId)
              AND ledger.number > \(number)
              AND ledger.environment = COALESCE(\(request.environment), ledger.environment)
            ORDER BY ledger.number LIMIT \(page.limit + 1)
            """
        ) { row throws(StoreError) in try Line(row).entry }
    }

    func lines(of record: GrantRecord) throws(StoreError) -> [Line] {
        try connection.rows(
            """
            \(raw: Self.select)
            WHERE ledger.bundle_id = \(record.facts.bundleId) AND ledger.buyer_id = \(record.grant.buyerId)
              AND ledger.purchase_id = \(record.facts.purchaseId)
              AND ledger.environment = \(record.facts.environment)
            ORDER BY ledger.number
            """,
            Line.init
        )
    }

    private static let select = """
        SELECT ledger.entry_id, ledger.kind, ledger.entitlement, ledger.amount, ledger.transaction_id, ledger.time,
          ledger.event_id AS line_event_id, ledger.causation_id AS line_causation_id, \(GrantRecord.columns)
        FROM ledger JOIN grants ON grants.purchase_id = ledger.purchase_id
          AND grants.environment = ledger.environment AND grants.bundle_id = ledger.bundle_id
        """

    struct Line: Equatable {
        let entry: LedgerEntry
        let eventId: EventID
        let causationId: EventID?

        init(_ row: Row) throws(StoreError) {
            eventId = try row["line_event_id"]
            causationId = try row["line_causation_id"]
            var record = try GrantRecord(row)
            record.facts.transactionId = try row["transaction_id"]
            record.changedAt = try row["time"]
            let line = Grant.Line(
                kind: try row["kind"],
                entitlement: try row["entitlement"],
                amount: try row["amount"]
            )
            entry = LedgerEntry(line, try row["entry_id"], of: record)
        }
    }
}

extension LedgerEntry {
    /// An entry that `record`, as it was then, led to.
    fileprivate init(_ line: Grant.Line, _ id: EntryID, of record: GrantRecord) {
        self.init(
            entryId: id.rawValue,
            kind: line.kind,
            entitlement: line.entitlement,
            amount: line.amount,
            transactionId: record.facts.transactionId,
            purchaseId: record.facts.purchaseId,
            productId: record.facts.productId,
            order: record.order,
            environment: record.facts.environment,
            time: record.changedAt
        )
    }
}
