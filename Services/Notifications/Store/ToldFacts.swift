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
                try add(verdicts: Self.verdicts(of: receipt), to: &found)
            }
            if let order = OrderID(rawValue: text) { try add(verdicts: Self.verdicts(of: order), to: &found) }
            try add(webhooks: Self.webhooks(about: text), to: &found)
            for app in request.bundleIds { try add(webhooks: Self.waiting(for: text, in: app), to: &found) }
        }
        return found
    }

    static func verdicts(of receipt: ReceiptID) -> SQL {
        "SELECT * FROM verdict WHERE receipt_id = \(receipt) AND verdict IS NOT NULL"
    }

    static func verdicts(of order: OrderID) -> SQL {
        "SELECT * FROM verdict WHERE order_id = \(order) AND verdict IS NOT NULL"
    }

    static func webhooks(about text: String) -> SQL { "SELECT * FROM webhook WHERE about = \(text)" }

    /// The next ones of a buyer.
    static func waiting(for buyer: String, in app: BundleID) -> SQL {
        """
        SELECT * FROM webhook WHERE bundle_id = \(app) AND subject = \(buyer) AND delivered_at IS NULL
        ORDER BY sequence LIMIT \(webhooksOfBuyer)
        """
    }

    private func add(verdicts query: SQL, to found: inout FoundFacts) throws(StoreError) {
        for row in try connection.rows(query) {
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

    private func add(webhooks query: SQL, to found: inout FoundFacts) throws(StoreError) {
        for row in try connection.rows(query) {
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
