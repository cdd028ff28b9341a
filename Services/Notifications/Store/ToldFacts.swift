import Contracts
import Database
import Delivery

/// What the rows of verdicts and webhooks say to people.
struct ToldFacts {
    /// Undelivered webhooks of a buyer that a search reads.
    private static let webhooksOfBuyer = 5

    let connection: any Connection

    /// What phones and servers were told, by receipts, orders, purchases and buyers.
    func find(_ request: FactsFindV1) throws(StoreError) -> FoundFacts {
        var found = FoundFacts()
        for text in request.texts {
            if let receipt = ReceiptID(rawValue: text) {
                try add(verdicts: "receipt_id = \(receipt)", to: &found)
            }
            if let order = OrderID(rawValue: text) { try add(verdicts: "order_id = \(order)", to: &found) }
            try add(webhooks: "about = \(text)", to: &found)
            for app in request.bundleIds {
                let waiting: SQL = "bundle_id = \(app) AND subject = \(text) AND delivered_at IS NULL"
                try add(webhooks: "\(waiting) ORDER BY sequence LIMIT \(Self.webhooksOfBuyer)", to: &found)
            }
        }
        return found
    }

    private func add(verdicts condition: SQL, to found: inout FoundFacts) throws(StoreError) {
        for row in try connection.rows("SELECT * FROM verdict WHERE \(condition) AND verdict IS NOT NULL") {
            var fact = DeskFact(.phoneTold, at: try row["changed_at"])
            let transaction: String = try row["transaction_id"]
            (fact.receiptId, fact.orderId) = (try row["receipt_id"], try row["order_id"])
            fact.transactionId = TransactionID(rawValue: transaction)
            (fact.buyerId, fact.productId) = (try row["submitter_id"], try row["product_id"])
            (fact.word, fact.detail) = (try row["verdict"], try row["reason"])
            (fact.eventId, fact.causationId) = (try row["event_id"], try row["causation_id"])
            found.facts.append(fact)
            found.related += [transaction, try row["receipt_id"]].filter { !$0.isEmpty }
        }
    }

    private func add(webhooks condition: SQL, to found: inout FoundFacts) throws(StoreError) {
        for row in try connection.rows("SELECT * FROM webhook WHERE \(condition)") {
            let fact = try Self.fact(row)
            guard !found.facts.contains(fact) else { continue }
            found.facts.append(fact)
            found.related.append(try row["about"])
        }
    }

    private static func fact(_ row: Row) throws(StoreError) -> DeskFact {
        let (deliveredAt, dueAt): (Timestamp?, Timestamp?) = (try row["delivered_at"], try row["due_at"])
        let attempts: Int = try row["attempts"]
        let kind: DeskFact.Kind =
            deliveredAt != nil ? .serverTold : attempts > 0 && dueAt != nil ? .serverRefuses : .serverAwaited
        let createdAt: Timestamp = try row["created_at"]
        var fact = DeskFact(kind, at: deliveredAt ?? createdAt)
        fact.bundleId = try row["bundle_id"]
        fact.purchaseId = PurchaseID(rawValue: try row["about"])
        fact.buyerId = BuyerID(rawValue: try row["subject"])
        (fact.count, fact.next) = (attempts, dueAt)
        (fact.word, fact.detail) = (try row["answer"], try row["event_type"])
        (fact.eventId, fact.causationId) = (try row["event_id"], try row["causation_id"])
        return fact
    }
}
