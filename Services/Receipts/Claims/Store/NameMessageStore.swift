import Contracts
import Database
import Delivery

/// The verified transactions that wait until names of their chain are registered, and until it is known who holds the
/// chain that theirs replaces.
struct NameMessageStore {
    struct Waiting {
        let number: Int64
        let key: ChainPurchase
        let message: Event<TransactionVerifiedV1>
    }

    /// Too many messages of a chain wait; a further one is held, and tried again.
    struct IsFull: Error {}

    /// Most messages of a chain: all of them go on in one database transaction.
    static let maximumWaiting = 1_000

    let connection: any Connection

    /// Whether a message about a purchase of the chain waits that was bought by then.
    func contains(_ chain: ChainKey, by time: Timestamp) throws(StoreError) -> Bool {
        try connection.exists("name_message WHERE \(chain.condition) AND purchased_at <= \(time)")
    }

    /// Whether a message about the purchase waits.
    func contains(_ key: ChainPurchase) throws(StoreError) -> Bool {
        try connection.exists("name_message WHERE \(key.condition)")
    }

    /// Adds a message behind those of its chain that wait.
    ///
    /// - Throws: `IsFull`, or `StoreError`.
    func add(_ message: Event<TransactionVerifiedV1>, of key: ChainPurchase) throws {
        let chain = key.chain
        let count: Int? = try connection.value("SELECT COUNT(*) FROM name_message WHERE \(chain.condition)")
        guard count ?? 0 < Self.maximumWaiting else { throw IsFull() }
        try connection.execute(
            """
            INSERT INTO name_message (original_transaction_id, bundle_id, environment, purchase_id,
              purchased_at, event_id, cause_id, content)
            VALUES (\(chain.originalTransactionID), \(chain.bundleID), \(chain.environment), \(key.purchaseID),
              \(message.data.transaction.purchaseDate), \(message.id), \(message.causationID),
              \(try JSONColumn.text(message.data)))
            """
        )
    }

    /// In the order in which their purchases were made; those of one time as they have come.
    func waiting(in chain: ChainKey) throws(StoreError) -> [Waiting] {
        try connection.rows(
            """
            SELECT number, purchase_id, event_id, cause_id, content FROM name_message
            WHERE \(chain.condition) ORDER BY purchased_at, number
            """
        ) { row throws(StoreError) -> Waiting in
            let message = Event<TransactionVerifiedV1>(
                id: try row["event_id"],
                source: "-",
                time: Timestamp(milliseconds: 0),
                subject: "-",
                causationID: try row["cause_id"],
                data: try JSONColumn.value(of: row["content"])
            )
            return Waiting(
                number: try row["number"],
                key: ChainPurchase(chain, try row["purchase_id"]),
                message: message
            )
        }
    }

    /// Notes that Apple says nothing more of a purchase whose messages wait: what they do not state is absent.
    func complete(_ completed: EvidenceCompletedV1, of chain: ChainKey) throws {
        for waiting in try self.waiting(in: chain) where waiting.message.data.inquiry != nil {
            var message = waiting.message.data
            let isNamed = message.transaction.transactionId == completed.transactionId.rawValue
            guard isNamed || waiting.key.purchaseID == completed.purchaseId else { continue }
            message.inquiry = completed.mayKnowMore == true ? .unasked : nil
            try connection.execute(
                "UPDATE name_message SET content = \(try JSONColumn.text(message)) WHERE number = \(waiting.number)"
            )
        }
    }

    func remove(_ waiting: Waiting) throws(StoreError) {
        try connection.execute("DELETE FROM name_message WHERE number = \(waiting.number)")
    }
}
