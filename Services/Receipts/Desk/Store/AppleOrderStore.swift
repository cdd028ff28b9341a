import Contracts
import Database
import Delivery

/// What Apple has said of its own orders about which somebody has asked.
struct AppleOrderStore {
    /// One question to Apple.
    struct Record: Equatable {
        let bundleID: BundleID
        let order: AppleOrderID
        let askedAt: Timestamp
        /// Nil until Apple answers.
        var transactions: [TransactionID]?
    }

    let connection: any Connection

    func records(_ order: AppleOrderID) throws(StoreError) -> [Record] {
        try connection.rows("SELECT * FROM apple_order WHERE apple_order_id = \(order)") {
            row throws(StoreError) in
            let text: String? = try row["transaction_ids"]
            return Record(
                bundleID: try row["bundle_id"],
                order: order,
                askedAt: try row["asked_at"],
                transactions: text?.split(separator: " ").map { TransactionID(unchecked: String($0)) }
            )
        }
    }

    /// Notes that Apple is asked, anew or for the first time.
    func ask(_ order: AppleOrderID, of bundle: BundleID, now: Timestamp) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO apple_order (apple_order_id, bundle_id, asked_at) VALUES (\(order), \(bundle), \(now))
            ON CONFLICT (apple_order_id, bundle_id)
            DO UPDATE SET asked_at = excluded.asked_at, transaction_ids = NULL
            """
        )
    }

    /// Notes what Apple has answered; without transactions it knows no such order of the app.
    func answer(_ order: AppleOrderID, of bundle: BundleID, _ transactions: [String]) throws(StoreError) {
        try connection.execute(
            """
            UPDATE apple_order SET transaction_ids = \(transactions.joined(separator: " "))
            WHERE apple_order_id = \(order) AND bundle_id = \(bundle)
            """
        )
    }
}

extension AppleOrderQuestion {
    init(_ record: AppleOrderStore.Record?) {
        self.init(askedAt: record?.askedAt, transactions: record?.transactions)
    }
}
