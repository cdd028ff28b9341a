import Contracts
import Database
import Delivery
import Domain

/// How far the names of purchases are registered.
struct NameRegistrationStore {
    struct Record {
        let key: ChainPurchase
        let registration: NameRegistration
        /// Of an alias: the newest message that was sent on.
        let forwarded: TransactionVerifiedV1?
    }

    let connection: any Connection

    func registration(_ key: ChainPurchase) throws(StoreError) -> NameRegistration? {
        try connection.content("SELECT content FROM name_registration WHERE \(key.condition)")
    }

    /// How many purchases wait for the partition of a name, and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        try connection.counts(of: "name_registration WHERE state = 'registering'")
    }

    /// A purchase of which another chain has a name while Orders is asked whose it is.
    func contested(_ key: PurchaseKey) throws(StoreError) -> ChainPurchase? {
        try connection.row(
            """
            SELECT original_transaction_id, purchase_id, bundle_id, environment FROM name_registration
            WHERE state = 'contested' AND \(key.condition)
            """
        ) { row throws(StoreError) -> ChainPurchase in try ChainPurchase(row) }
    }

    /// Updates or inserts a registration.
    func save(_ registration: NameRegistration, of key: ChainPurchase, now: Timestamp) throws {
        let chain = key.chain
        try connection.execute(
            """
            INSERT INTO name_registration (original_transaction_id, purchase_id, bundle_id, environment, state,
              since, content)
            VALUES (\(chain.originalTransactionID), \(key.purchaseID), \(chain.bundleID), \(chain.environment),
              \(registration.state.name), \(now), \(try JSONColumn.text(registration)))
            ON CONFLICT (original_transaction_id, purchase_id, bundle_id, environment) DO UPDATE SET
              since = CASE WHEN name_registration.state = excluded.state THEN name_registration.since
                ELSE excluded.since END,
              state = excluded.state, content = excluded.content,
              forwarded = CASE WHEN excluded.state = 'alias' THEN name_registration.forwarded END
            """
        )
    }

    /// Keeps the newest message of an alias that was sent on, without its submission.
    func keep(_ message: TransactionVerifiedV1, of key: ChainPurchase) throws {
        let kept: TransactionVerifiedV1? = try connection.content(
            "SELECT forwarded FROM name_registration WHERE \(key.condition)"
        )
        if let kept, Recency(message.transaction) <= Recency(kept.transaction) { return }
        var message = message
        message.submission = nil
        try connection.execute(
            """
            UPDATE name_registration SET forwarded = \(try JSONColumn.text(message))
            WHERE \(key.condition) AND state = 'alias'
            """
        )
    }

    /// A page by key, from the first if the key is empty.
    func page(after key: [String], limit: Int) throws(StoreError) -> [Record] {
        let key = key.isEmpty ? ["", "", "", ""] : key
        guard key.count == 4 else { throw .corrupt("the key of a registration has four columns") }
        return try connection.rows(
            """
            SELECT original_transaction_id, purchase_id, bundle_id, environment, content, forwarded
            FROM name_registration
            WHERE (original_transaction_id, purchase_id, bundle_id, environment)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]))
            ORDER BY original_transaction_id, purchase_id, bundle_id, environment LIMIT \(limit)
            """
        ) { row throws(StoreError) -> Record in
            Record(
                key: try ChainPurchase(row),
                registration: try JSONColumn.value(of: row["content"]),
                forwarded: try row.json("forwarded")
            )
        }
    }

    // MARK: Names

    /// The purchase of a chain of which a transaction has stated the name, and its registration.
    func purchase(
        stating name: PurchaseName,
        in chain: ChainKey
    ) throws(StoreError) -> (key: ChainPurchase, registration: NameRegistration)? {
        try purchase(stating: name.text, in: chain)
    }

    /// Likewise, also by a `PeriodName`.
    func purchase(
        stating name: String,
        in chain: ChainKey
    ) throws(StoreError) -> (key: ChainPurchase, registration: NameRegistration)? {
        try connection.row(
            """
            SELECT purchase_id, content FROM name_registration
            WHERE \(chain.condition) AND purchase_id = (
              SELECT purchase_id FROM claim_name WHERE name = \(name) AND \(chain.condition)
            )
            """
        ) { row throws(StoreError) -> (key: ChainPurchase, registration: NameRegistration) in
            (ChainPurchase(chain, try row["purchase_id"]), try JSONColumn.value(of: row["content"]))
        }
    }

    /// Notes what a transaction of a purchase states; the first purchase of a chain that has stated it stays.
    func add(_ names: [String], of key: ChainPurchase) throws(StoreError) {
        let chain = key.chain
        for name in names {
            try connection.execute(
                """
                INSERT INTO claim_name (name, original_transaction_id, bundle_id, environment, purchase_id)
                VALUES (\(name), \(chain.originalTransactionID), \(chain.bundleID), \(chain.environment),
                  \(key.purchaseID))
                ON CONFLICT (name, original_transaction_id, bundle_id, environment) DO NOTHING
                """
            )
        }
    }

    // MARK: Chains

    /// The home of a chain that is an alias.
    func home(of chain: ChainKey) throws(StoreError) -> TransactionID? {
        try connection.value("SELECT home_id FROM chain_alias WHERE \(chain.condition)")
    }

    /// Leads a chain to its home, unless it is led already.
    func lead(_ chain: ChainKey, to home: TransactionID) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO chain_alias (original_transaction_id, bundle_id, environment, home_id)
            VALUES (\(chain.originalTransactionID), \(chain.bundleID), \(chain.environment), \(home))
            ON CONFLICT (original_transaction_id, bundle_id, environment) DO NOTHING
            """
        )
    }

    /// Whether a chain has no other purchase than this one that is, or may come to be, its own.
    func isAlone(_ key: ChainPurchase) throws(StoreError) -> Bool {
        let (chain, own) = (key.chain, key.purchaseID)
        let others: SQL = "\(chain.condition) AND purchase_id <> \(own)"
        let queries: [SQL] = [
            "claim WHERE \(others) AND purchase_id <> original_transaction_id",
            "claim WHERE \(others) AND purchase_id = \(chain.originalTransactionID)",
            "name_registration WHERE \(others) AND state <> 'alias'",
            // One without names waits behind those that register theirs.
            """
            name_message WHERE \(others)
              AND purchase_id NOT IN (SELECT purchase_id FROM name_registration WHERE \(chain.condition))
            """,
        ]
        for query in queries where try connection.exists(query) { return false }
        return true
    }
}

extension NameRegistration.State {
    var name: String {
        switch self {
        case .unregistered, .registering: "registering"
        case .registered: "registered"
        case .contested: "contested"
        case .alias: "alias"
        }
    }
}
