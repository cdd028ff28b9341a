import Contracts
import Database
import Delivery
import Domain
import NIOConcurrencyHelpers

struct ClaimStore {
    /// The statements that write a claim, by the number of their columns: with or without transfers and facts.
    private static let inserts = NIOLockedValueBox<[Int: String]>([:])
    private static let updates = NIOLockedValueBox<[Int: String]>([:])

    let connection: any Connection

    func record(_ key: PurchaseKey) throws(StoreError) -> ClaimRecord? { try records(key.condition).first }

    /// The claim of a purchase that its own chain has; in a partition another chain may have one with the same id.
    func record(_ purchase: ChainPurchase) throws(StoreError) -> ClaimRecord? {
        let record = try record(purchase.claim)
        return record?.originalTransactionID == purchase.chain.originalTransactionID ? record : nil
    }

    /// The claim of a purchase known by a transaction's name or its own.
    func record(named name: PurchaseKey) throws(StoreError) -> ClaimRecord? {
        try records(
            """
            purchase_id = COALESCE((
              SELECT purchase_id FROM purchase_alias WHERE name = \(name.purchaseID)
                AND bundle_id = \(name.bundleID) AND environment = \(name.environment)
            ), \(name.purchaseID)) AND bundle_id = \(name.bundleID) AND environment = \(name.environment)
            """
        ).first
    }

    func records(_ condition: SQL) throws(StoreError) -> [ClaimRecord] {
        try connection.rows(
            "SELECT \(raw: ClaimRecord.columns) FROM claim WHERE \(condition)",
            ClaimRecord.init(_:)
        )
    }

    /// Updates or inserts a record.
    ///
    /// `newer` is the signed transaction if it is newer than the row's; a new row needs it.
    func save(_ record: ClaimRecord, newer: SignedTransaction?, now: Timestamp) throws {
        var columns = try record.changing(now: now)
        if let newer { columns.append(("signed_transaction", .text(try JSONColumn.text(newer)))) }
        let changed =
            if let stored = record.stored {
                try update(record.key, columns, from: stored)
            } else {
                try insert(record, columns)
            }
        guard changed == 1 else {
            throw StoreError.corrupt("the claim of \(record.key) is not as it was read")
        }
        if record.claim.state.holder != nil, record.stored?.state != record.claim.state.name {
            try AccountBuyerStore(connection: connection).note(record.key)
        }
    }

    private func insert(
        _ record: ClaimRecord,
        _ columns: [(key: String, value: Value)]
    ) throws(StoreError) -> Int {
        let key: [(key: String, value: Value)] = [
            ("purchase_id", Value(record.key.purchaseID)),
            ("bundle_id", Value(record.key.bundleID)),
            ("environment", Value(record.key.environment)),
            ("original_transaction_id", Value(record.originalTransactionID)),
            ("purchased_at", Value(record.purchasedAt)),
            ("verified_at", Value(record.verified.time)),
            ("verified_event_id", Value(record.verified.id)),
            ("verified_cause_id", Value(record.verified.causationid)),
        ]
        let columns = key + columns
        let text = Self.text(of: columns, in: Self.inserts) {
            let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
            return "INSERT INTO claim (\(columns.map(\.key).joined(separator: ", "))) VALUES (\(places))"
        }
        return try connection.execute(text, columns.map(\.value))
    }

    private func update(
        _ key: PurchaseKey,
        _ columns: [(key: String, value: Value)],
        from stored: ClaimRecord.Mark
    ) throws(StoreError) -> Int {
        let row: SQL = "\(key.condition) AND state = \(stored.state) AND attempt = \(stored.attempt)"
        let text = Self.text(of: columns, in: Self.updates) {
            "UPDATE claim SET \(columns.map { "\($0.key) = ?" }.joined(separator: ", ")) WHERE \(row.text)"
        }
        return try connection.execute(text, columns.map(\.value) + row.values)
    }

    private static func text(
        of columns: [(key: String, value: Value)],
        in known: NIOLockedValueBox<[Int: String]>,
        _ write: () -> String
    ) -> String {
        known.withLockedValue { texts in
            if let text = texts[columns.count] { return text }
            let text = write()
            texts[columns.count] = text
            return text
        }
    }

    func signed(_ key: PurchaseKey) throws(StoreError) -> SignedTransaction {
        let text: String? = try connection.value(
            "SELECT signed_transaction FROM claim WHERE \(key.condition)"
        )
        return try JSONColumn.value(of: text ?? "")
    }

    func facts(_ key: PurchaseKey) throws(StoreError) -> TransactionFacts {
        guard var facts = TransactionFacts(try signed(key)) else {
            throw StoreError.corrupt("claim.signed_transaction")
        }
        facts.purchaseId = key.purchaseID
        return facts
    }

    /// The further names of a purchase.
    func names(of key: PurchaseKey) throws(StoreError) -> [String] {
        try connection.rows("SELECT name FROM purchase_alias WHERE \(key.condition)") {
            row throws(StoreError) in try row["name"]
        }
    }

    /// Removes a claim that nobody holds, with all that waits for it and its further names.
    func remove(_ record: ClaimRecord) throws(StoreError) {
        for table in ["claim", "claim_waiter", "purchase_alias"] {
            try connection.execute("DELETE FROM \(raw: table) WHERE \(record.key.condition)")
        }
    }

    // MARK: Waiters

    func addWaiter(_ submission: Submission, to key: PurchaseKey, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO claim_waiter (purchase_id, bundle_id, environment, receipt_id, transaction_id,
              submitter_id, order_hint, intent, for_another, since)
            VALUES (\(key.purchaseID), \(key.bundleID), \(key.environment), \(submission.receiptId),
              \(submission.transactionId?.rawValue ?? ""), \(submission.submitter), \(submission.orderId),
              \(submission.intent), \(submission.isForAnother), \(now))
            ON CONFLICT (purchase_id, bundle_id, environment, receipt_id, transaction_id)
              DO UPDATE SET intent = CASE claim_waiter.intent WHEN \(Submission.Intent.restore) THEN claim_waiter.intent
                  ELSE COALESCE(excluded.intent, claim_waiter.intent) END,
                order_hint = COALESCE(excluded.order_hint, claim_waiter.order_hint),
                for_another = excluded.for_another
            """
        )
    }

    func waiterCount(_ key: PurchaseKey) throws(StoreError) -> Int {
        try connection.value("SELECT COUNT(*) FROM claim_waiter WHERE \(key.condition)") ?? 0
    }

    /// The submissions that wait for the claim, the longest first; queried only if the claim is awaited.
    func waiters(_ record: ClaimRecord) throws(StoreError) -> [Submission] {
        guard record.claim.hasWaiters else { return [] }
        return try connection.rows(
            """
            SELECT receipt_id, submitter_id, order_hint, transaction_id, intent, for_another FROM claim_waiter
            WHERE \(record.key.condition) ORDER BY since, receipt_id, transaction_id
            """
        ) { row throws(StoreError) in
            Submission(
                receiptId: try row["receipt_id"],
                submitter: try row["submitter_id"],
                orderId: try row["order_hint"],
                transactionId: TransactionID(rawValue: try row["transaction_id"]),
                intent: try row["intent"],
                isForAnother: try row["for_another"]
            )
        }
    }

    func removeWaiter(_ submission: Submission, from key: PurchaseKey) throws(StoreError) {
        try connection.execute(
            """
            DELETE FROM claim_waiter WHERE \(key.condition) AND receipt_id = \(submission.receiptId)
              AND transaction_id = \(submission.transactionId?.rawValue ?? "")
            """
        )
    }

    func removeWaiters(of key: PurchaseKey) throws(StoreError) {
        try connection.execute("DELETE FROM claim_waiter WHERE \(key.condition)")
    }

    // MARK: Apple's word

    /// How many claims wait for Apple's word, or submissions beside their holders do; and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let claims = try connection.counts(of: "claim WHERE state = 'waiting'")
        let held = try connection.counts(
            of:
                "claim WHERE \(raw: Self.mayBeAwaited) AND evidence <> 'complete' AND \(raw: Self.isHeldByHint)"
        )
        return (claims.count + held.count, [claims.oldest, held.oldest].compactMap(\.self).min())
    }

    /// Those that Apple's word may still make another's (`HolderEvidence.isFinal`).
    static let isHeldByHint = "held_by <> 'token' AND held_by <> 'registered' AND held_by <> 'reassigned'"
    /// Held ones with submissions that wait, of which Apple has not said all.
    static let mayBeAwaited = "state = 'held' AND has_waiters = 1 AND whole = 0"

    /// When something is to be done next for a claim for which nothing is due.
    func nextEvidenceDue(after now: Timestamp) throws(StoreError) -> Timestamp? {
        let later = AppleEvidence.due(at: now).later(than: "evidence_due_at")
        return try connection.value(
            "SELECT MIN(evidence_due_at) FROM claim WHERE state = 'waiting' AND \(later)"
        )
    }

    /// The paths (`PurchaseKey`) of the claims for which something is to be done about Apple's word.
    func evidenceDue(at now: Timestamp, limit: Int) throws(StoreError) -> [String] {
        try AppleEvidence.due(at: now).rows(by: "evidence_due_at", limit: limit) { range throws(StoreError) in
            try connection.rows(
                "SELECT \(PurchaseKey.path) AS path FROM claim WHERE state = 'waiting' AND \(range)"
            ) { row throws(StoreError) -> String in try row["path"] }
        }
    }

    // MARK: Many

    /// A page, by key, of the claims that meet `condition`; from the first if the key is empty.
    func page(
        _ condition: SQL = "TRUE",
        after key: [String],
        limit: Int
    ) throws(StoreError) -> [ClaimRecord] {
        let key = key.isEmpty ? ["", "", ""] : key
        guard key.count == 3 else { throw .corrupt("the key of a claim has three columns") }
        return try records(
            """
            \(condition) AND (purchase_id, bundle_id, environment) > (\(key[0]), \(key[1]), \(key[2]))
            ORDER BY purchase_id, bundle_id, environment LIMIT \(limit)
            """
        )
    }

    /// A page of purchases without holder or proposal that another round may help.
    func orphans(after key: [String], limit: Int) throws(StoreError) -> [ClaimRecord] {
        try page(
            "state = 'orphan' AND (token IS NOT NULL OR proposer_id IS NOT NULL)",
            after: key,
            limit: limit
        )
    }

    /// The orphans for which an operator is alarmed: shared ones are ordinary, because most of a family, and many who
    /// have a seat, never open the app.
    func orphans() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        try connection.counts(of: "claim WHERE state = 'orphan' AND shared = 0")
    }

    /// How many purchases are held on weaker evidence than another buyer has; an operator decides.
    ///
    /// Of what is refunded in full (`RefundedShare`) nobody needs to decide.
    func contestedCount() throws(StoreError) -> Int {
        try connection.value(
            """
            SELECT COUNT(*) FROM claim WHERE claimants IS NOT NULL AND state = 'held'
              AND (revoked = 0
                OR period = 0 AND signed_transaction ->> 'revocationType' = \(RefundedShare.prorated)
                  AND signed_transaction ->> 'revocationPercentage' < \(RefundedShare.full.milliunits))
            """
        ) ?? 0
    }

    /// The claims of the purchases with this name.
    func records(named name: PurchaseID) throws(StoreError) -> [ClaimRecord] {
        try records(
            """
            purchase_id IN (SELECT purchase_id FROM purchase_alias WHERE name = \(name) UNION SELECT \(name))
            """
        )
    }

    /// The newest purchases, by Apple's time, whose claims an event or its effect has changed.
    func records(naming event: String) throws(StoreError) -> [ClaimRecord] {
        try connection.rows(
            """
            SELECT \(raw: ClaimRecord.columns) FROM (
              SELECT \(raw: ClaimRecord.columns) FROM claim
              ORDER BY purchase_id DESC, bundle_id DESC, environment DESC LIMIT \(EventSearch.maximumRows)
            ) AS newest
            WHERE \(event) IN (verified_event_id, verified_cause_id, answered_event_id, answered_cause_id)
            """,
            ClaimRecord.init(_:)
        )
    }
}
