import Contracts
import Database
import Delivery
import ReceiptsCore

struct ClaimStore {
    let connection: any Connection

    /// The mutable columns, in the order of `ClaimRecord.changing`.
    private static let changing = [
        "signed_date", "revoked", "token", "state", "since", "attempt", "candidate_kind", "candidate",
        "has_unsent_facts",
        "has_waiters", "proposer_receipt_id", "proposer_id", "proposer_hint", "proposer_transaction_id",
        "buyer_id", "order_id",
        "verified_at",
        "verified_event_id", "verified_cause_id", "answered_at", "answered_event_id", "answered_cause_id",
    ]
    private static let isKey = "purchase_id = ? AND bundle_id = ? AND environment = ?"

    private static let select = "SELECT \(ClaimRecord.columns) FROM claim WHERE \(isKey)"
    private static let insert = """
        INSERT INTO claim (\(changing.joined(separator: ", ")), purchase_id, bundle_id, environment, \
        original_transaction_id, signed_transaction) \
        VALUES (\(Array(repeating: "?", count: changing.count + 5).joined(separator: ", ")))
        """
    private static let update =
        "UPDATE claim SET \(changing.map { "\($0) = ?" }.joined(separator: ", ")) "
        + "WHERE \(isKey) AND state = ? AND attempt = ?"

    func record(_ key: PurchaseKey) throws(StoreError) -> ClaimRecord? {
        guard let row = try connection.row(Self.select, key.values) else { return nil }
        return try ClaimRecord(row: row)
    }

    /// Updates or inserts a record.
    ///
    /// `newer` is the signed transaction if it is newer than the row's; a new row needs it.
    func save(_ record: ClaimRecord, newer: SignedTransaction?, now: Timestamp) throws {
        let text = try newer.map { try JSONColumn.text($0) }
        let changed = try save(record, text, now)
        guard changed == 1 else {
            throw StoreError.corrupt("the claim of \(record.key) is not as it was read")
        }
    }

    private func save(_ record: ClaimRecord, _ newer: String?, _ now: Timestamp) throws(StoreError) -> Int {
        let values = record.changing(now: now) + record.key.values
        guard let stored = record.stored else {
            return try connection.execute(
                Self.insert,
                values + [.text(record.originalTransactionID.rawValue), Value(newer)]
            )
        }
        if let newer {
            try connection.execute(
                "UPDATE claim SET signed_transaction = ? WHERE \(Self.isKey)",
                [.text(newer)] + record.key.values
            )
        }
        return try connection.execute(Self.update, values + [.text(stored.state), Value(stored.attempt)])
    }

    func signed(_ key: PurchaseKey) throws -> SignedTransaction {
        let row = try connection.row("SELECT signed_transaction FROM claim WHERE \(Self.isKey)", key.values)
        let text = try row?.text(0) ?? ""
        return try JSONColumn.value(of: text)
    }

    func facts(_ key: PurchaseKey) throws -> TransactionFacts {
        guard var facts = TransactionFacts(try signed(key)) else {
            throw StoreError.corrupt("claim.signed_transaction")
        }
        facts.purchaseId = key.purchaseID
        return facts
    }

    func addWaiter(_ submission: Submission, to key: PurchaseKey, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO claim_waiter
              (purchase_id, bundle_id, environment, receipt_id, transaction_id, submitter_id, order_hint, since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (purchase_id, bundle_id, environment, receipt_id, transaction_id) DO NOTHING
            """,
            key.values + [
                .text(submission.receiptId.rawValue), .text(submission.transactionId?.rawValue ?? ""),
                .text(submission.submitter.rawValue),
                Value(submission.orderId), .integer(now.milliseconds),
            ]
        )
    }

    /// The submissions that wait for the claim, the longest first; queried only if the claim is awaited.
    func waiters(_ record: ClaimRecord) throws(StoreError) -> [Submission] {
        guard record.claim.hasWaiters else { return [] }
        let rows = try connection.rows(
            """
            SELECT receipt_id, submitter_id, order_hint, transaction_id FROM claim_waiter WHERE \(Self.isKey)
            ORDER BY since, receipt_id, transaction_id
            """,
            record.key.values
        )
        return try rows.map { row throws(StoreError) in
            Submission(
                receiptId: ReceiptID(unchecked: try row.text(0)),
                submitter: BuyerID(unchecked: try row.text(1)),
                orderId: try row.optionalText(2),
                transactionId: TransactionID(rawValue: try row.text(3))
            )
        }
    }

    func removeWaiter(_ submission: Submission, from key: PurchaseKey) throws(StoreError) {
        try connection.execute(
            "DELETE FROM claim_waiter WHERE \(Self.isKey) AND receipt_id = ? AND transaction_id = ?",
            key.values + [
                .text(submission.receiptId.rawValue), .text(submission.transactionId?.rawValue ?? ""),
            ]
        )
    }

    func removeWaiters(of key: PurchaseKey) throws(StoreError) {
        try connection.execute("DELETE FROM claim_waiter WHERE \(Self.isKey)", key.values)
    }

    // MARK: Many

    /// A page, by key, of purchases without holder or proposal that another round may help.
    func orphans(after key: PurchaseKey?, limit: Int) throws(StoreError) -> [ClaimRecord] {
        let rows = try connection.rows(
            """
            SELECT \(ClaimRecord.columns) FROM claim
            WHERE state = 'orphan' AND (token IS NOT NULL OR proposer_id IS NOT NULL)
              AND (purchase_id, bundle_id, environment) > (?, ?, ?)
            ORDER BY purchase_id, bundle_id, environment LIMIT ?
            """,
            (key?.values ?? ["", "", ""]) + [Value(limit)]
        )
        return try rows.map(ClaimRecord.init(row:))
    }

    func orphans() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let row = try connection.row("SELECT COUNT(*), MIN(since) FROM claim WHERE state = 'orphan'")
        return (try row?.int(0) ?? 0, try row?.optionalInteger(1).map(Timestamp.init(milliseconds:)))
    }

    func records(_ id: PurchaseID) throws(StoreError) -> [ClaimRecord] {
        let rows = try connection.rows(
            "SELECT \(ClaimRecord.columns) FROM claim WHERE purchase_id = ?",
            [.text(id.rawValue)]
        )
        return try rows.map(ClaimRecord.init(row:))
    }

    /// The newest purchases, by Apple's time, whose claims an event or its effect has changed.
    func records(naming event: String) throws(StoreError) -> [ClaimRecord] {
        let rows = try connection.rows(
            """
            SELECT \(ClaimRecord.columns) FROM (
              SELECT \(ClaimRecord.columns) FROM claim
              ORDER BY purchase_id DESC, bundle_id DESC, environment DESC LIMIT ?
            ) AS newest
            WHERE ? IN (verified_event_id, verified_cause_id, answered_event_id, answered_cause_id)
            """,
            [.integer(EventSearch.maximumRows), .text(event)]
        )
        return try rows.map(ClaimRecord.init(row:))
    }

    func records(after key: PurchaseKey?, limit: Int) throws(StoreError) -> [ClaimRecord] {
        let rows = try connection.rows(
            """
            SELECT \(ClaimRecord.columns) FROM claim
            WHERE (purchase_id, bundle_id, environment) > (?, ?, ?)
            ORDER BY purchase_id, bundle_id, environment LIMIT ?
            """,
            (key?.values ?? ["", "", ""]) + [Value(limit)]
        )
        return try rows.map(ClaimRecord.init(row:))
    }
}
