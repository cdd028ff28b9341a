import Contracts
import Database
import Delivery

/// Who holds the chains that those of this partition replace.
struct PreviousChainStore {
    /// A chain that has asked.
    struct Record {
        let purchase: ChainPurchase
        let previous: TransactionID
        /// When the purchase was made that states it.
        let boughtAt: Timestamp

        /// In the order of the primary key.
        var columns: [String] {
            let chain = purchase.chain
            return [
                chain.originalTransactionID.rawValue, chain.bundleID.rawValue, chain.environment.rawValue,
                previous.rawValue,
            ]
        }
    }

    /// What is asked of a chain of this partition.
    struct Question {
        let asked: PreviousChainAskedV1
        /// The last answer; nil while it waits.
        let answer: PreviousChainAnsweredV1?

        fileprivate static let columns = "content, answer"

        fileprivate init(_ row: Row) throws(StoreError) {
            asked = try JSONColumn.value(of: row["content"])
            answer = try row.json("answer")
        }
    }

    let connection: any Connection

    func state(
        of previous: TransactionID,
        replacedBy chain: ChainKey
    ) throws(StoreError) -> PreviousChain {
        let known = try connection.row(
            "SELECT state, buyer_id, signed FROM previous_chain WHERE \(chain.condition) AND previous_id = \(previous)"
        ) { row throws(StoreError) -> PreviousChain in
            switch try row["state"] as String {
            case "asked": return .asked
            case "told": return .told(try row["buyer_id"], isSigned: try row["signed"])
            case let state: throw StoreError.corrupt("previous_chain.state is \(state)")
            }
        }
        return known ?? .unknown
    }

    /// Whether a chain is known to replace another one.
    func contains(_ chain: ChainKey) throws(StoreError) -> Bool {
        try connection.exists("previous_chain WHERE \(chain.condition)")
    }

    /// Who holds a replaced chain by Apple's signed token, of which the partition of that one has told last.
    func signedHolder(replacedBy chain: ChainKey) throws(StoreError) -> BuyerID? {
        try connection.value(
            """
            SELECT buyer_id FROM previous_chain WHERE \(chain.condition) AND signed = 1
            ORDER BY since DESC, previous_id LIMIT 1
            """
        )
    }

    /// Updates or inserts a state that is known.
    func save(_ state: PreviousChain, of record: Record, now: Timestamp) throws(StoreError) {
        let (name, isSigned): (String, Bool)
        switch state {
        case .unknown: return
        case .asked: (name, isSigned) = ("asked", false)
        case .told(_, let isToldSigned): (name, isSigned) = ("told", isToldSigned)
        }
        let chain = record.purchase.chain
        try connection.execute(
            """
            INSERT INTO previous_chain (original_transaction_id, bundle_id, environment, previous_id, purchase_id,
              bought_at, state, since, buyer_id, signed)
            VALUES (\(chain.originalTransactionID), \(chain.bundleID), \(chain.environment), \(record.previous),
              \(record.purchase.purchaseID), \(record.boughtAt), \(name), \(now), \(state.holder), \(isSigned))
            ON CONFLICT (original_transaction_id, bundle_id, environment, previous_id) DO UPDATE SET
              state = excluded.state, since = excluded.since, buyer_id = excluded.buyer_id, signed = excluded.signed
            """
        )
    }

    // MARK: The chain that is asked

    /// Keeps a question, and what it is answered; nil while it is not known whose the purchases of the chain are.
    func keep(_ asked: PreviousChainAskedV1, _ answer: PreviousChainAnsweredV1?) throws {
        let (content, answer) = (try JSONColumn.text(asked), try answer.map { try JSONColumn.text($0) })
        try connection.execute(
            """
            INSERT INTO previous_chain_question (asked_id, bundle_id, environment, original_transaction_id, previous_id,
              content, answer)
            VALUES (\(asked.askedId), \(asked.bundleId), \(asked.environment), \(asked.originalTransactionId),
              \(asked.previousId), \(content), \(answer))
            ON CONFLICT (asked_id, bundle_id, environment, original_transaction_id, previous_id) DO UPDATE SET
              content = excluded.content, answer = excluded.answer
            """
        )
    }

    /// Forgets a question that another chain answers.
    func remove(_ asked: PreviousChainAskedV1) throws(StoreError) {
        try connection.execute("DELETE FROM previous_chain_question WHERE \(Self.condition(asked))")
    }

    private static func condition(_ asked: PreviousChainAskedV1) -> SQL {
        """
        asked_id = \(asked.askedId) AND bundle_id = \(asked.bundleId) AND environment = \(asked.environment)
          AND original_transaction_id = \(asked.originalTransactionId) AND previous_id = \(asked.previousId)
        """
    }

    /// The questions about a chain.
    func questions(about chain: ChainKey) throws(StoreError) -> [Question] {
        try connection.rows(
            """
            SELECT \(raw: Question.columns) FROM previous_chain_question
            WHERE asked_id = \(chain.originalTransactionID) AND bundle_id = \(chain.bundleID)
              AND environment = \(chain.environment)
            ORDER BY original_transaction_id, previous_id
            """,
            Question.init(_:)
        )
    }

    /// A page of the questions, by key; from the first if the key is empty.
    func questions(after key: [String], limit: Int) throws(StoreError) -> [Question] {
        let key = key.isEmpty ? ["", "", "", "", ""] : key
        guard key.count == 5 else { throw .corrupt("the key of a question has five columns") }
        return try connection.rows(
            """
            SELECT \(raw: Question.columns) FROM previous_chain_question
            WHERE (asked_id, bundle_id, environment, original_transaction_id, previous_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]), \(key[4]))
            ORDER BY asked_id, bundle_id, environment, original_transaction_id, previous_id LIMIT \(limit)
            """,
            Question.init(_:)
        )
    }

    // MARK: The chain that asks

    /// How many chains wait for an answer, and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        try connection.counts(of: "previous_chain WHERE state = 'asked'")
    }

    /// A page, by key, of those that have asked; from the first if the key is empty.
    func asked(after key: [String], limit: Int) throws(StoreError) -> [Record] {
        let key = key.isEmpty ? ["", "", "", ""] : key
        guard key.count == 4 else { throw .corrupt("the key of a replaced chain has four columns") }
        return try connection.rows(
            """
            SELECT original_transaction_id, bundle_id, environment, previous_id, purchase_id, bought_at
            FROM previous_chain
            WHERE (original_transaction_id, bundle_id, environment, previous_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]))
            ORDER BY original_transaction_id, bundle_id, environment, previous_id LIMIT \(limit)
            """
        ) { row throws(StoreError) -> Record in
            Record(
                purchase: try ChainPurchase(row),
                previous: try row["previous_id"],
                boughtAt: try row["bought_at"]
            )
        }
    }
}

extension PreviousChainAskedV1 {
    /// In the order of the primary key of the question.
    var columns: [String] {
        [
            askedId.rawValue, bundleId.rawValue, environment.rawValue, originalTransactionId.rawValue,
            previousId.rawValue,
        ]
    }
}
