import Contracts
import Database
import NotificationsCore

/// The message that brought a row to what it says; the trace shows it.
struct Origin: Equatable {
    let type: EventType
    let id: EventID
    let causationID: EventID?
    let time: Timestamp

    /// The origin of what a message says at `time`.
    init<Body: Contract>(_ message: Event<Body>, at time: Timestamp) {
        type = Body.type
        id = message.id
        causationID = message.causationID
        self.time = time
    }
}

/// What is known of each submission and its transactions.
struct VerdictStore {
    let connection: any Connection

    /// The app of a submission and the verdict on the whole; nil when Receipts has not spoken yet.
    func receipt(_ id: ReceiptID) throws(StoreError) -> (bundleId: BundleID, whole: ReceiptStanding.Whole?)? {
        let sql = "SELECT bundle_id, verdict, reason FROM receipt WHERE receipt_id = ?"
        guard let row = try connection.row(sql, [.text(id.rawValue)]) else { return nil }
        let bundle = BundleID(unchecked: try row.text(0))
        guard let text = try row.optionalText(1) else { return (bundle, nil) }
        return (bundle, ReceiptStanding.Whole(try Verdict(stored: text), reason: try row.optionalText(2)))
    }

    /// Writes the verdict on the whole of a submission; its origin stays the first one.
    func saveReceipt(
        _ id: ReceiptID,
        of bundle: BundleID,
        _ whole: ReceiptStanding.Whole?,
        from origin: Origin
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO receipt (receipt_id, bundle_id, verdict, reason, changed_at, event_id, causation_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (receipt_id) DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason
            """,
            [
                .text(id.rawValue), .text(bundle.rawValue), Value(whole?.verdict.rawValue),
                Value(whole?.reason),
                .integer(origin.time.milliseconds), .text(origin.id.rawValue),
                Value(origin.causationID?.rawValue),
            ]
        )
    }

    /// Forgets a submission of which there are no lines.
    func forget(_ id: ReceiptID) throws(StoreError) {
        try connection.execute("DELETE FROM receipt WHERE receipt_id = ?", [.text(id.rawValue)])
    }

    /// The line of one transaction of a submission.
    func line(_ receipt: ReceiptID, of verdict: TransactionVerdict) throws(StoreError) -> VerdictLine? {
        try connection.row(
            """
            SELECT \(Self.columns) FROM verdict
            WHERE receipt_id = ? AND environment = ? AND transaction_id = ?
            """,
            [
                .text(receipt.rawValue), .text(verdict.environment.rawValue),
                .text(verdict.transactionId.rawValue),
            ]
        ).map(VerdictLine.init)
    }

    /// All lines of a submission, in its order.
    func lines(_ receipt: ReceiptID) throws(StoreError) -> [VerdictLine] {
        try connection.rows(
            """
            SELECT \(Self.columns) FROM verdict WHERE receipt_id = ?
            ORDER BY position, environment, transaction_id
            """,
            [.text(receipt.rawValue)]
        ).map(VerdictLine.init)
    }

    /// The lines of a purchase of which the ledger said that it pays this order, of whatever submission.
    func lines(
        paying order: OrderID,
        asPartOf original: TransactionID,
        in environment: Environment
    ) throws(StoreError) -> [(receipt: ReceiptID, line: VerdictLine)] {
        let rows = try connection.rows(
            """
            SELECT \(Self.columns), receipt_id FROM verdict
            WHERE order_id = ? AND environment = ? AND original_transaction_id = ?
            ORDER BY receipt_id, transaction_id
            """,
            [.text(order.rawValue), .text(environment.rawValue), .text(original.rawValue)]
        )
        return try rows.map { row throws(StoreError) in
            (ReceiptID(unchecked: try row.text(10)), try VerdictLine(row))
        }
    }

    private static let columns = """
        position, transaction_id, original_transaction_id, product_id, quantity, environment, order_id, verdict,
          granted_at, reason
        """

    /// Writes the line of one transaction.
    func save(_ line: VerdictLine, of receipt: ReceiptID, from origin: Origin) throws(StoreError) {
        let verdict = line.verdict
        try connection.execute(
            """
            INSERT INTO verdict (receipt_id, environment, transaction_id, position, original_transaction_id,
              product_id, quantity, order_id, verdict, granted_at, reason, changed_at, event_type, event_id, causation_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (receipt_id, environment, transaction_id)
            DO UPDATE SET position = excluded.position, original_transaction_id = excluded.original_transaction_id,
              product_id = excluded.product_id, quantity = excluded.quantity, order_id = excluded.order_id,
              verdict = excluded.verdict, granted_at = excluded.granted_at, reason = excluded.reason,
              changed_at = excluded.changed_at,
              event_type = excluded.event_type, event_id = excluded.event_id, causation_id = excluded.causation_id
            """,
            [
                .text(receipt.rawValue), .text(verdict.environment.rawValue),
                .text(verdict.transactionId.rawValue), .integer(Int64(line.position)),
                .text(verdict.originalTransactionId.rawValue), .text(verdict.productId.rawValue),
                .integer(Int64(verdict.quantity)), Value(verdict.orderId?.rawValue),
                .text(verdict.verdict.rawValue), Value(verdict.grantedAt?.milliseconds),
                Value(verdict.reason),
                .integer(origin.time.milliseconds),
                .text(origin.type.rawValue), .text(origin.id.rawValue), Value(origin.causationID?.rawValue),
            ]
        )
    }

    /// Everything known of a submission; of one that was not heard of, that it is not accepted.
    func standing(
        _ id: ReceiptID
    ) throws(StoreError) -> (standing: ReceiptStanding, bundleId: BundleID?) {
        guard let receipt = try receipt(id) else {
            return (ReceiptStanding(receiptId: id, isAccepted: false), nil)
        }
        let transactions = try lines(id).map(\.verdict)
        let standing = ReceiptStanding(
            receiptId: id,
            isAccepted: true,
            whole: receipt.whole,
            transactions: transactions
        )
        return (standing, receipt.bundleId)
    }
}

extension VerdictLine {
    fileprivate init(_ row: Row) throws(StoreError) {
        let stored = try TransactionVerdict(row)
        self.init(stored, position: try row.int(0))
    }
}

extension TransactionVerdict {
    /// A verdict is made of facts; those that it does not repeat are left empty.
    fileprivate init(_ row: Row) throws(StoreError) {
        let facts = TransactionFacts(
            environment: Environment(rawValue: try row.text(5)),
            bundleId: BundleID(unchecked: ""),
            transactionId: TransactionID(unchecked: try row.text(1)),
            originalTransactionId: TransactionID(unchecked: try row.text(2)),
            productId: ProductID(unchecked: try row.text(3)),
            quantity: try row.int(4),
            type: "",
            purchaseDate: Timestamp(milliseconds: 0),
            signedDate: Timestamp(milliseconds: 0)
        )
        self.init(
            facts,
            orderId: try row.optionalText(6).map(OrderID.init(unchecked:)),
            verdict: try Verdict(stored: try row.text(7)),
            grantedAt: try row.optionalInteger(8).map(Timestamp.init(milliseconds:)),
            reason: try row.optionalText(9)
        )
    }
}

extension Verdict {
    fileprivate init(stored text: String) throws(StoreError) {
        guard let verdict = Verdict(rawValue: text) else { throw .corrupt("\(text) is no verdict") }
        self = verdict
    }
}
