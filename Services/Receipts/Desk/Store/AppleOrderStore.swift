import Contracts
import Database
import Delivery
import Domain

/// What Apple has said of its own orders about which somebody has asked, and who wants to know it.
struct AppleOrderStore {
    /// One question to Apple.
    struct Record: Equatable {
        let bundleID: BundleID
        let order: AppleOrderID
        let askedAt: Timestamp
        /// Nil until Apple answers; empty when it knows no such order of the app.
        var transactions: [TransactionID]?
        /// The purchases that the transactions belong to.
        var purchases: [PurchaseID] = []
    }

    let connection: any Connection

    func records(_ order: AppleOrderID) throws(StoreError) -> [Record] {
        try connection.rows("SELECT * FROM apple_order WHERE apple_order_id = \(order)") {
            row throws(StoreError) in
            let (transactions, purchases): (String?, String?) =
                (try row["transaction_ids"], try row["purchase_ids"])
            return Record(
                bundleID: try row["bundle_id"],
                order: order,
                askedAt: try row["asked_at"],
                transactions: transactions.map(Self.identifiers),
                purchases: Self.identifiers(in: purchases ?? "")
            )
        }
    }

    func record(_ order: AppleOrderID, of bundle: BundleID) throws(StoreError) -> Record? {
        try records(order).first { $0.bundleID == bundle }
    }

    /// Notes that Apple is asked, anew or for the first time.
    func ask(_ order: AppleOrderID, of bundle: BundleID, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO apple_order (apple_order_id, bundle_id, asked_at) VALUES (\(order), \(bundle), \(now))
            ON CONFLICT (apple_order_id, bundle_id)
            DO UPDATE SET asked_at = excluded.asked_at, transaction_ids = NULL, purchase_ids = NULL
            """
        )
    }

    /// Notes what Apple has answered, though it may be forgotten by now that it was asked.
    func answer(
        _ order: AppleOrderID,
        of bundle: BundleID,
        _ facts: [TransactionFacts],
        askedAt: Timestamp
    ) throws(StoreError) {
        let transactions = facts.map(\.transactionId.rawValue).joined(separator: " ")
        let purchases = Set(facts.map(\.purchaseId.rawValue)).sorted().joined(separator: " ")
        try connection.execute(
            """
            INSERT INTO apple_order (apple_order_id, bundle_id, asked_at, transaction_ids, purchase_ids)
            VALUES (\(order), \(bundle), \(askedAt), \(transactions), \(purchases))
            ON CONFLICT (apple_order_id, bundle_id)
            DO UPDATE SET transaction_ids = excluded.transaction_ids, purchase_ids = excluded.purchase_ids
            """
        )
        for transaction in Set(facts.map(\.transactionId)).sorted() {
            try connection.execute(
                """
                INSERT INTO apple_order_transaction (transaction_id, apple_order_id, bundle_id)
                VALUES (\(transaction), \(order), \(bundle))
                ON CONFLICT (transaction_id, bundle_id, apple_order_id) DO NOTHING
                """
            )
        }
    }

    /// The orders that Apple has said to have a transaction.
    func records(with transaction: TransactionID) throws(StoreError) -> [Record] {
        try connection.rows(Self.having(transaction)) { row throws(StoreError) in
            Record(
                bundleID: try row["bundle_id"],
                order: try row["apple_order_id"],
                askedAt: try row["asked_at"],
                transactions: [transaction]
            )
        }
    }

    static func having(_ transaction: TransactionID) -> SQL {
        """
        SELECT bundle_id, apple_order_id, asked_at FROM apple_order_transaction
          JOIN apple_order USING (apple_order_id, bundle_id)
        WHERE transaction_id = \(transaction)
        """
    }

    // MARK: Retention

    /// When the oldest question was asked whose order has no transaction.
    func oldestWithoutTransaction() throws(StoreError) -> Timestamp? { try connection.value(Self.oldest) }

    static let oldest: SQL = "SELECT MIN(asked_at) FROM apple_order WHERE \(raw: withoutTransaction)"

    /// Forgets the oldest questions asked by `end` whose orders have no transaction; how many these were.
    func forget(askedBy end: Timestamp, limit: Int) throws(StoreError) -> Int {
        try connection.execute(
            """
            DELETE FROM apple_order WHERE (apple_order_id, bundle_id) IN
              (SELECT apple_order_id, bundle_id FROM apple_order
              WHERE \(raw: Self.withoutTransaction) AND asked_at <= \(end) ORDER BY asked_at LIMIT \(limit))
            """
        )
    }

    /// As the index of the oldest ones has it.
    private static let withoutTransaction = "COALESCE(transaction_ids, '') = ''"

    // MARK: Compensations

    /// Notes that a compensation stands on an order.
    func add(_ wanted: AppleOrderWantedV1) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO apple_order_proposal (apple_order_id, bundle_id, proposal_id)
            VALUES (\(wanted.appleOrderId), \(wanted.bundleId), \(wanted.proposalId))
            ON CONFLICT (apple_order_id, bundle_id, proposal_id) DO NOTHING
            """
        )
    }

    /// The compensations that stand on an order.
    func wanted(_ order: AppleOrderID, of bundle: BundleID) throws(StoreError) -> [AppleOrderWantedV1] {
        try connection.rows(
            """
            SELECT * FROM apple_order_proposal WHERE apple_order_id = \(order) AND bundle_id = \(bundle)
            """,
            Self.wanted
        )
    }

    /// The next compensations after a key; from the first if it is empty.
    func page(after key: [String], limit: Int) throws(StoreError) -> [AppleOrderWantedV1] {
        let key = key.count == Self.keyColumns ? key : Array(repeating: "", count: Self.keyColumns)
        return try connection.rows(
            """
            SELECT * FROM apple_order_proposal
            WHERE (apple_order_id, bundle_id, proposal_id) > (\(key[0]), \(key[1]), \(key[2]))
            ORDER BY apple_order_id, bundle_id, proposal_id LIMIT \(limit)
            """,
            Self.wanted
        )
    }

    private static func identifiers<Identifier: TextIdentifier>(in text: String) -> [Identifier] {
        text.split(separator: " ").map { Identifier(unchecked: String($0)) }
    }

    private static let keyColumns = 3

    private static func wanted(_ row: Row) throws(StoreError) -> AppleOrderWantedV1 {
        AppleOrderWantedV1(
            proposalId: try row["proposal_id"],
            bundleId: try row["bundle_id"],
            appleOrderId: try row["apple_order_id"]
        )
    }
}

extension AppleOrderWantedV1 {
    /// Its place in the store.
    var columns: [String] { [appleOrderId.rawValue, bundleId.rawValue, proposalId.rawValue] }
}

extension AppleOrderQuestion {
    init(_ record: AppleOrderStore.Record?) {
        self.init(askedAt: record?.askedAt, transactions: record?.transactions)
    }
}
