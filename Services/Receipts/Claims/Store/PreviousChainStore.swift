import Contracts
import Database
import Delivery

/// Who holds the chains that those of this partition replace.
struct PreviousChainStore {
    /// A purchase that has asked.
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
                purchase.purchaseID.rawValue, previous.rawValue,
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
        replacedBy purchase: ChainPurchase
    ) throws(StoreError) -> PreviousChain {
        let known = try connection.row(
            """
            SELECT state, buyer_id, held_from, signed FROM previous_chain
            WHERE \(purchase.condition) AND previous_id = \(previous)
            """
        ) { row throws(StoreError) -> PreviousChain in
            switch try row["state"] as String {
            case "asked": return .asked
            case "told": return .told(try PreviousChain.Holder(row))
            case let state: throw StoreError.corrupt("previous_chain.state is \(state)")
            }
        }
        return known ?? .unknown
    }

    /// Whether a purchase is known to replace another chain.
    func contains(_ purchase: ChainPurchase) throws(StoreError) -> Bool {
        try connection.exists("previous_chain WHERE \(purchase.condition)")
    }

    /// Who holds the chains that a chain's purchases replace by Apple's signed token; of several that one purchase
    /// replaces the one of which was told last.
    func signedHolders(
        replacedBy chain: ChainKey
    ) throws(StoreError) -> [PurchaseID: PreviousChain.Holder] {
        let rows = try connection.rows(
            """
            SELECT purchase_id, buyer_id, held_from, signed FROM previous_chain
            WHERE \(chain.condition) AND signed = 1 ORDER BY since, previous_id DESC
            """
        )
        var holders: [PurchaseID: PreviousChain.Holder] = [:]
        for row in rows { holders[try row["purchase_id"]] = try PreviousChain.Holder(row) }
        return holders
    }

    /// Updates or inserts a state that is known.
    func save(_ state: PreviousChain, of record: Record, now: Timestamp) throws(StoreError) {
        guard let name = state.name else { return }
        let (chain, holder) = (record.purchase.chain, state.holder)
        try connection.execute(
            """
            INSERT INTO previous_chain (original_transaction_id, bundle_id, environment, previous_id, purchase_id,
              bought_at, state, since, buyer_id, held_from, signed)
            VALUES (\(chain.originalTransactionID), \(chain.bundleID), \(chain.environment), \(record.previous),
              \(record.purchase.purchaseID), \(record.boughtAt), \(name), \(now), \(holder?.buyer),
              \(holder?.purchasedAt), \(holder?.isSigned ?? false))
            ON CONFLICT (original_transaction_id, bundle_id, environment, purchase_id, previous_id) DO UPDATE SET
              state = excluded.state, since = excluded.since, buyer_id = excluded.buyer_id,
              held_from = excluded.held_from, signed = excluded.signed
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
              purchase_id, content, answer)
            VALUES (\(asked.askedId), \(asked.bundleId), \(asked.environment), \(asked.originalTransactionId),
              \(asked.previousId), \(asked.purchaseId), \(content), \(answer))
            ON CONFLICT (asked_id, bundle_id, environment, original_transaction_id, previous_id, purchase_id)
              DO UPDATE SET
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
          AND purchase_id = \(asked.purchaseId)
        """
    }

    /// The questions about a chain.
    func questions(about chain: ChainKey) throws(StoreError) -> [Question] {
        try connection.rows(
            """
            SELECT \(raw: Question.columns) FROM previous_chain_question
            WHERE asked_id = \(chain.originalTransactionID) AND bundle_id = \(chain.bundleID)
              AND environment = \(chain.environment)
            ORDER BY original_transaction_id, previous_id, purchase_id
            """,
            Question.init(_:)
        )
    }

    /// A page of the questions, by key; from the first if the key is empty.
    func questions(after key: [String], limit: Int) throws(StoreError) -> [Question] {
        let key = key.isEmpty ? ["", "", "", "", "", ""] : key
        guard key.count == 6 else { throw .corrupt("the key of a question has six columns") }
        return try connection.rows(
            """
            SELECT \(raw: Question.columns) FROM previous_chain_question
            WHERE (asked_id, bundle_id, environment, original_transaction_id, previous_id, purchase_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]), \(key[4]), \(key[5]))
            ORDER BY asked_id, bundle_id, environment, original_transaction_id, previous_id, purchase_id LIMIT \(limit)
            """,
            Question.init(_:)
        )
    }

    // MARK: The chain that asks

    /// How many purchases wait for an answer, and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        try connection.counts(of: "previous_chain WHERE state = 'asked'")
    }

    /// A page, by key, of those that have asked; from the first if the key is empty.
    func asked(after key: [String], limit: Int) throws(StoreError) -> [Record] {
        let key = key.isEmpty ? ["", "", "", "", ""] : key
        guard key.count == 5 else { throw .corrupt("the key of a replaced chain has five columns") }
        return try connection.rows(
            """
            SELECT original_transaction_id, bundle_id, environment, previous_id, purchase_id, bought_at
            FROM previous_chain
            WHERE (original_transaction_id, bundle_id, environment, purchase_id, previous_id)
              > (\(key[0]), \(key[1]), \(key[2]), \(key[3]), \(key[4]))
            ORDER BY original_transaction_id, bundle_id, environment, purchase_id, previous_id LIMIT \(limit)
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
            previousId.rawValue, purchaseId.rawValue,
        ]
    }
}

extension PreviousChain.Holder {
    /// Nil of a row that names nobody.
    fileprivate init?(_ row: Row) throws(StoreError) {
        guard let buyer: BuyerID = try row["buyer_id"] else { return nil }
        self.init(buyer: buyer, purchasedAt: try row["held_from"], isSigned: try row["signed"])
    }
}

extension PreviousChain {
    /// Its name in the table; nil of what is not stored.
    var name: String? {
        switch self {
        case .unknown: nil
        case .asked: "asked"
        case .told: "told"
        }
    }
}
