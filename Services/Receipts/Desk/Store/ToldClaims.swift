import Contracts
import Database
import Delivery

/// What the row of a claim says to people.
struct ToldClaims {
    let connection: any Connection

    /// What is known of the purchases with a name, and of the newest periods of the subscription that it begins.
    func add(_ name: PurchaseID, to found: inout FoundFacts) throws(StoreError) {
        let periods = try connection.rows(Self.periods(of: name))
        let newest = found.first(ReceiptFacts.purchasesOfChain, of: periods)
        for row in try connection.rows(Self.query(name)) + newest {
            let key = try PurchaseKey(row)
            let facts = try facts(of: row, key)
            for fact in facts where !found.facts.contains(fact) { found.facts.append(fact) }
            found.related +=
                [key.purchaseID.rawValue] + (try ClaimStore(connection: connection).names(of: key))
            let names: [String?] = [try row["proposer_receipt_id"], try row["order_id"]]
            found.related += names.compactMap(\.self)
            found.related += try connection.rows("SELECT receipt_id FROM claim_waiter WHERE \(key.condition)")
            {
                row throws(StoreError) in try row["receipt_id"]
            }
        }
    }

    /// By its own id, and by another of its names; each by an index.
    static func query(_ name: PurchaseID) -> SQL {
        """
        SELECT * FROM claim WHERE purchase_id = \(name)
        UNION ALL
        SELECT * FROM claim WHERE purchase_id IN (SELECT purchase_id FROM purchase_alias WHERE name = \(name))
        """
    }

    /// The newest periods behind the first one of a chain, and one more.
    static func periods(of chain: PurchaseID) -> SQL {
        """
        SELECT * FROM claim WHERE original_transaction_id = \(chain) AND purchase_id <> original_transaction_id
        ORDER BY purchased_at DESC LIMIT \(ReceiptFacts.purchasesOfChain + 1)
        """
    }

    private func facts(of row: Row, _ key: PurchaseKey) throws(StoreError) -> [DeskFact] {
        let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
        var bought = DeskFact(.bought, at: try row["purchased_at"])
        (bought.bundleId, bought.environment, bought.purchaseId) = (
            key.bundleID, key.environment, key.purchaseID
        )
        bought.transactionId = TransactionID(rawValue: signed.transactionId)
        (bought.productId, bought.quantity) = (ProductID(rawValue: signed.productId), signed.quantity)
        (bought.price, bought.currency) = (signed.price, signed.currency)
        (bought.account, bought.detail) = (signed.appTransactionId, signed.appAccountToken)
        var verified = bought
        (verified.kind, verified.at) = (.verified, try row["verified_at"])
        (verified.eventId, verified.causationId) = (
            try row["verified_event_id"], try row["verified_cause_id"]
        )
        (verified.receiptId, verified.buyerId) = (try row["proposer_receipt_id"], try row["proposer_id"])
        var facts = [bought, verified]
        if let time = signed.revocationDate {
            var refunded = bought
            (refunded.kind, refunded.at) = (.refunded, Timestamp(milliseconds: time))
            refunded.word = signed.revocationType
            facts.append(refunded)
        }
        let moves = try moves(of: key, like: bought)
        return facts + moves + (try states(of: row, like: bought, after: moves.last))
    }

    private func moves(of key: PurchaseKey, like bought: DeskFact) throws(StoreError) -> [DeskFact] {
        try connection.rows("SELECT * FROM transfer WHERE \(key.condition) ORDER BY transfer") {
            row throws(StoreError) in
            var moved = bought
            (moved.kind, moved.at, moved.word) = (.moved, try row["moved_at"], try row["cause"])
            (moved.buyerId, moved.otherBuyerId) = (try row["to_id"], try row["from_id"])
            return moved
        }
    }

    /// `move`: the last one; whoever holds it since then does not hold it for longer.
    private func states(
        of row: Row,
        like bought: DeskFact,
        after move: DeskFact?
    ) throws(StoreError) -> [DeskFact] {
        var now = bought
        now.at = try row["since"]
        (now.eventId, now.causationId) = (try row["answered_event_id"], try row["answered_cause_id"])
        switch try row["state"] as String {
        case "held":
            (now.kind, now.word) = (.held, try row["held_by"])
            (now.buyerId, now.orderId) = (try row["buyer_id"], try row["order_id"])
            if let move, move.buyerId == now.buyerId { now.at = max(now.at, move.at) }
        case "waiting": (now.kind, now.next) = (.awaitsApple, try row["evidence_due_at"])
        case "proposed": (now.kind, now.word) = (.awaitsOrders, try row["candidate_kind"])
        case _: now.kind = .orphan
        }
        guard let others: [BuyerID] = try row.json("claimants"), let other = others.first else {
            return [now]
        }
        var contested = now
        (contested.kind, contested.otherBuyerId) = (.contested, other)
        return [now, contested]
    }
}
