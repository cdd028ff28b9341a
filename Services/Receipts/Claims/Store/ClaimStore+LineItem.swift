import Contracts
import Database
import Delivery
import Domain

/// The claims of the purchases of a chain that state one `webOrderLineItemId`.
extension ClaimStore {
    /// Most periods of a chain among which those of one line item are sought, by when they begin; the others are past.
    static let maximumSought = 100

    /// The claim of a transaction that nobody has seen and whose key leads to `first`, or to none; nil of a further
    /// purchase.
    func claim(
        of facts: TransactionFacts,
        keyedLike first: ClaimRecord?,
        mayRestate: Bool = true
    ) throws(StoreError) -> ClaimRecord? {
        guard let first else { return mayRestate ? try claim(restatedBy: facts) : nil }
        // What expires is rare, and other keys than a line item's are one purchase's for sure.
        guard let lineItem = facts.keyingLineItem, let time = PaidTime(facts) else { return first }
        let known = LineItemPurchase(first.key.purchaseID, paying: PaidTime(try signed(first.key)))
        let purchase = try known.purchase(paidBy: time) { () throws(StoreError) -> [LineItemPurchase] in
            try purchases(of: lineItem, in: facts, before: time.end)
        }
        guard let purchase else { return mayRestate ? try claim(restatedBy: facts) : nil }
        return purchase == first.key.purchaseID ? first : try record(first.key.named(purchase.rawValue))
    }

    /// The claim of the period that a transaction restates under another id, where one of the two states no line item
    /// (`PeriodName`); nil of a period that nobody has seen.
    private func claim(restatedBy facts: TransactionFacts) throws(StoreError) -> ClaimRecord? {
        guard let period = PeriodName(facts) else { return nil }
        let chain = ChainKey(facts)
        let second = facts.purchaseDate.milliseconds / 1_000 * 1_000
        let begins: SQL = "assigned = 0 AND purchased_at BETWEEN \(second) AND \(second + 999)"
        for condition in [
            "\(chain.condition) AND purchase_id <> original_transaction_id AND \(begins)",
            "\(chain.first.condition) AND \(begins)",
        ] as [SQL] {
            for record in try records("\(condition) LIMIT \(Self.maximumSought)") {
                let known = PeriodName(try self.facts(record.key))
                if known?.stated.contains(period.sought) == true { return record }
            }
        }
        return nil
    }

    /// Whether a claim is known by its transaction id because it was added to a period, and has no line item.
    func isAddition(_ record: ClaimRecord) throws(StoreError) -> Bool { try signed(record.key).isAddition }

    /// The purchases of a line item in the chain of a transaction that begin before `end`.
    private func purchases(
        of lineItem: String,
        in facts: TransactionFacts,
        before end: Timestamp
    ) throws(StoreError) -> [LineItemPurchase] {
        let chain = facts.originalTransactionId
        let place: SQL = "bundle_id = \(facts.bundleId) AND environment = \(facts.environment)"
        let queries: [SQL] = [
            """
            original_transaction_id = \(chain) AND purchase_id <> original_transaction_id AND \(place)
              AND purchased_at < \(end) ORDER BY purchased_at DESC LIMIT \(Self.maximumSought)
            """,
            "purchase_id = \(chain) AND \(place)",
        ]
        var purchases: [LineItemPurchase] = []
        for query in queries {
            purchases += try connection.rows(
                "SELECT purchase_id, signed_transaction FROM claim WHERE \(query)"
            ) { row throws(StoreError) -> LineItemPurchase? in
                let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
                guard signed.lineItem == lineItem, !signed.isAddition else { return nil }
                return LineItemPurchase(try row["purchase_id"], paying: PaidTime(signed))
            }.compactMap(\.self)
        }
        return purchases
    }
}

extension TransactionFacts {
    /// The line item that is a part of the purchase's key; nil where the key is a transaction id.
    fileprivate var keyingLineItem: String? {
        guard let webOrderLineItemId else { return nil }
        let key = PurchaseID(chain: originalTransactionId, lineItem: webOrderLineItemId)
        return key == purchaseId ? webOrderLineItemId : nil
    }
}
