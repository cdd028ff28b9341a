import Contracts
import Database
import Delivery

struct VerdictStore {
    /// The row of a submission itself.
    static let isOnSubmission: SQL = "environment = '' AND transaction_id = ''"

    let connection: any Connection

    /// The state of a submission; an unknown one has no app.
    func status(_ id: ReceiptID) throws(StoreError) -> SubmissionStatus {
        try status(id) { () throws(StoreError) in try verdicts(id) }
    }

    /// The same with one transaction, an open one if there is any: a long submission is not read for each of its parts.
    func outline(_ id: ReceiptID) throws(StoreError) -> SubmissionStatus {
        try status(id) { () throws(StoreError) in
            let open = try verdicts(id, "AND verdict IN ('pending', 'parked', 'invalid') LIMIT 1")
            return open.isEmpty ? try verdicts(id, "LIMIT 1") : open
        }
    }

    private func status(
        _ id: ReceiptID,
        _ verdicts: () throws(StoreError) -> [TransactionVerdict]
    ) throws(StoreError) -> SubmissionStatus {
        let row = try connection.row(
            """
            SELECT bundle_id, verdict, reason, application_version FROM verdict
            WHERE receipt_id = \(id) AND \(Self.isOnSubmission)
            """
        )
        guard let row else { return SubmissionStatus(receiptId: id) }
        let (verdict, reason): (Verdict?, String?) = (try row["verdict"], try row["reason"])
        return SubmissionStatus(
            receiptId: id,
            bundleId: try row["bundle_id"],
            overall: verdict.map { SubmissionStatus.Overall(verdict: $0, reason: reason) },
            applicationVersion: try row["application_version"],
            transactions: try verdicts()
        )
    }

    /// Who handed a submission in; nil of an unknown one.
    func submitter(of id: ReceiptID) throws(StoreError) -> BuyerID? {
        try connection.value(
            "SELECT submitter_id FROM verdict WHERE receipt_id = \(id) AND \(Self.isOnSubmission)"
        )
    }

    /// Stores the overall verdict of a submission; its first message does not change.
    func saveReceipt(
        _ status: SubmissionStatus,
        of bundle: BundleID,
        by submitter: BuyerID,
        _ entry: Trace.Entry
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO verdict (receipt_id, environment, transaction_id, bundle_id, submitter_id, verdict, reason,
              application_version, changed_at, event_id, causation_id)
            VALUES (\(status.receiptId), '', '', \(bundle), \(submitter), \(status.overall?.verdict),
              \(status.overall?.reason), \(status.applicationVersion), \(entry.time), \(entry.id), \(entry.causationid))
            ON CONFLICT (receipt_id, environment, transaction_id)
            DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason,
              application_version = excluded.application_version
            """
        )
    }

    /// Makes a submission known by the verdict on its only transaction, unless it is known.
    func addReceipt(
        _ id: ReceiptID,
        of bundle: BundleID,
        by submitter: BuyerID,
        _ entry: Trace.Entry
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO verdict (receipt_id, environment, transaction_id, bundle_id, submitter_id, changed_at, event_id,
              causation_id)
            VALUES (\(id), '', '', \(bundle), \(submitter), \(entry.time), \(entry.id), \(entry.causationid))
            ON CONFLICT (receipt_id, environment, transaction_id) DO NOTHING
            """
        )
    }

    /// Puts the message of the acceptance in the row that a verdict has made; false when none has.
    func noteAcceptance(of id: ReceiptID, _ entry: Trace.Entry) throws(StoreError) -> Bool {
        try connection.execute(
            """
            UPDATE verdict SET changed_at = \(entry.time), event_id = \(entry.id),
              causation_id = \(entry.causationid)
            WHERE receipt_id = \(id) AND \(Self.isOnSubmission) AND verdict IS NULL AND event_id IN (
              SELECT event_id FROM verdict WHERE receipt_id = \(id) AND event_type <> \(entry.type)
            )
            """
        ) == 1
    }

    /// Deletes a submission that has no transactions.
    func delete(_ id: ReceiptID) throws(StoreError) {
        try connection.execute("DELETE FROM verdict WHERE receipt_id = \(id) AND \(Self.isOnSubmission)")
    }

    /// The known verdict on the same transaction, and the message that brought it.
    func verdict(
        _ receipt: ReceiptID,
        of verdict: TransactionVerdict
    ) throws(StoreError) -> (verdict: NumberedVerdict, entry: Trace.Entry)? {
        try connection.row(
            """
            SELECT * FROM verdict WHERE receipt_id = \(receipt)
              AND environment = \(verdict.environment) AND transaction_id = \(verdict.transactionId)
            """
        ) { row throws(StoreError) in
            (try NumberedVerdict(row), try Trace.Entry(row, type: row["event_type"], time: "changed_at"))
        }
    }

    /// In the order of the submission, unless the end of the query says otherwise.
    private func verdicts(
        _ receipt: ReceiptID,
        _ end: SQL = "ORDER BY position, environment, transaction_id"
    ) throws(StoreError) -> [TransactionVerdict] {
        try connection.rows(
            "SELECT * FROM verdict WHERE receipt_id = \(receipt) AND transaction_id <> '' \(end)",
            TransactionVerdict.init
        )
    }

    /// The ledger's verdicts on a purchase that pays this order, of any submission of the buyer.
    func verdicts(
        paying order: OrderID,
        asPartOf original: TransactionID,
        in environment: Environment,
        of buyer: BuyerID
    ) throws(StoreError) -> [(receipt: ReceiptID, verdict: NumberedVerdict)] {
        try connection.rows(
            """
            SELECT * FROM verdict
            WHERE order_id = \(order) AND environment = \(environment) AND original_transaction_id = \(original)
              AND submitter_id = \(buyer)
            ORDER BY receipt_id, transaction_id
            """
        ) { row throws(StoreError) in (try row["receipt_id"], try NumberedVerdict(row)) }
    }

    func save(
        _ numbered: NumberedVerdict,
        of receipt: ReceiptID,
        by submitter: BuyerID,
        _ entry: Trace.Entry
    ) throws(StoreError) {
        let verdict = numbered.verdict
        try connection.execute(
            """
            INSERT INTO verdict (receipt_id, environment, transaction_id, submitter_id, position,
              original_transaction_id, product_id, quantity, order_id, verdict, granted_at, reason, transfers,
              changed_at, event_type, event_id, causation_id)
            VALUES (\(receipt), \(verdict.environment), \(verdict.transactionId), \(submitter),
              \(numbered.position), \(verdict.originalTransactionId), \(verdict.productId), \(verdict.quantity),
              \(verdict.orderId), \(verdict.verdict), \(verdict.grantedAt), \(verdict.reason),
              \(numbered.transfers), \(entry.time), \(entry.type), \(entry.id), \(entry.causationid))
            ON CONFLICT (receipt_id, environment, transaction_id)
            DO UPDATE SET position = excluded.position, original_transaction_id = excluded.original_transaction_id,
              product_id = excluded.product_id, quantity = excluded.quantity, order_id = excluded.order_id,
              verdict = excluded.verdict, granted_at = excluded.granted_at, reason = excluded.reason,
              transfers = excluded.transfers, changed_at = excluded.changed_at, event_type = excluded.event_type,
              event_id = excluded.event_id, causation_id = excluded.causation_id
            """
        )
    }
}

extension TransactionVerdict {
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            transactionId: try row["transaction_id"],
            originalTransactionId: try row["original_transaction_id"],
            productId: try row["product_id"],
            quantity: try row["quantity"],
            environment: try row["environment"],
            orderId: try row["order_id"],
            verdict: try row["verdict"],
            grantedAt: try row["granted_at"],
            reason: try row["reason"]
        )
    }
}

extension NumberedVerdict {
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            verdict: try TransactionVerdict(row),
            position: try row["position"],
            transfers: try row["transfers"]
        )
    }
}
