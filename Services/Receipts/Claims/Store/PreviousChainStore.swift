import Contracts
import Database
import Delivery

/// Who holds the chains that those of this partition replace.
struct PreviousChainStore {
    /// A chain whose answer is awaited.
    struct Record {
        let purchase: ChainPurchase
        let previous: TransactionID

        /// In the order of the primary key.
        var columns: [String] {
            let chain = purchase.chain
            return [
                chain.originalTransactionID.rawValue, chain.bundleID.rawValue, chain.environment.rawValue,
                previous.rawValue,
            ]
        }
    }

    let connection: any Connection

    func state(
        of previous: TransactionID,
        replacedBy chain: ChainKey
    ) throws(StoreError) -> PreviousChain {
        let known = try connection.row(
            "SELECT state, buyer_id FROM previous_chain WHERE \(chain.condition) AND previous_id = \(previous)"
        ) { row throws(StoreError) -> PreviousChain in
            switch try row["state"] as String {
            case "asked": return .asked
            case "told": return .told(try row["buyer_id"])
            case let state: throw StoreError.corrupt("previous_chain.state is \(state)")
            }
        }
        return known ?? .unknown
    }

    /// Whether a chain is known to replace another one.
    func contains(_ chain: ChainKey) throws(StoreError) -> Bool {
        try connection.row("SELECT 1 FROM previous_chain WHERE \(chain.condition) LIMIT 1") != nil
    }

    /// Updates or inserts a state that is known.
    func save(_ state: PreviousChain, of record: Record, now: Timestamp) throws(StoreError) {
        let name: String
        switch state {
        case .unknown: return
        case .asked: name = "asked"
        case .told: name = "told"
        }
        let chain = record.purchase.chain
        try connection.execute(
            """
            INSERT INTO previous_chain (original_transaction_id, bundle_id, environment, previous_id, purchase_id,
              state, since, buyer_id)
            VALUES (\(chain.originalTransactionID), \(chain.bundleID), \(chain.environment), \(record.previous),
              \(record.purchase.purchaseID), \(name), \(now), \(state.holder))
            ON CONFLICT (original_transaction_id, bundle_id, environment, previous_id) DO UPDATE SET
              state = excluded.state, since = excluded.since, buyer_id = excluded.buyer_id
            """
        )
    }

    // MARK: The chain that is asked

    /// Keeps a question until it is known whose the purchases of the chain are.
    func keep(_ asked: PreviousChainAskedV1) throws {
        let content = try JSONColumn.text(asked)
        try connection.execute(
            """
            INSERT INTO previous_chain_question (asked_id, bundle_id, environment, original_transaction_id, previous_id,
              content)
            VALUES (\(asked.askedId), \(asked.bundleId), \(asked.environment), \(asked.originalTransactionId),
              \(asked.previousId), \(content))
            ON CONFLICT (asked_id, bundle_id, environment, original_transaction_id, previous_id) DO UPDATE SET
              content = excluded.content
            """
        )
    }

    /// Takes the questions about a chain.
    func takeQuestions(about chain: ChainKey) throws -> [PreviousChainAskedV1] {
        let condition: SQL = """
            asked_id = \(chain.originalTransactionID) AND bundle_id = \(chain.bundleID)
              AND environment = \(chain.environment)
            """
        let questions = try connection.rows(
            "SELECT content FROM previous_chain_question WHERE \(condition) ORDER BY original_transaction_id, previous_id"
        ) { row throws(StoreError) -> PreviousChainAskedV1 in try JSONColumn.value(of: row["content"]) }
        if !questions.isEmpty {
            try connection.execute("DELETE FROM previous_chain_question WHERE \(condition)")
        }
        return questions
    }

    // MARK: The chain that asks

    /// How many chains wait for an answer, and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let counts = try connection.row(
            "SELECT COUNT(*) AS count, MIN(since) AS oldest FROM previous_chain WHERE state = 'asked'"
        ) { row throws(StoreError) -> (Int, Timestamp?) in (try row["count"], try row["oldest"]) }
        return counts ?? (0, nil)
    }

    /// A page, by key, of those that wait for an answer; from the first if the key is empty.
    func asked(after key: [String], limit: Int) throws(StoreError) -> [Record] {
        let key = key.isEmpty ? ["", "", "", ""] : key
        guard key.count == 4 else { throw .corrupt("the key of a replaced chain has four columns") }
        return try connection.rows(
            """
            SELECT original_transaction_id, bundle_id, environment, previous_id, purchase_id FROM previous_chain
            WHERE state = 'asked' AND (original_transaction_id, bundle_id, environment, previous_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]))
            ORDER BY original_transaction_id, bundle_id, environment, previous_id LIMIT \(limit)
            """
        ) { row throws(StoreError) -> Record in
            Record(purchase: try ChainPurchase(row), previous: try row["previous_id"])
        }
    }
}
