import Contracts
import Database
import Delivery

/// What the rows of orders say to people.
struct OrderFacts {
    /// The newest orders of a buyer that a search reads.
    static let ordersOfBuyer = 20

    let connection: any Connection

    /// What is known of orders by their ids, references, purchases, transactions and buyers.
    func find(_ request: FactsFindV1) throws(StoreError) -> FoundFacts {
        var found = FoundFacts()
        var seen: Set<String> = []
        for text in request.texts {
            var rows = try connection.rows(Self.byName(text))
            if let id = OrderID(rawValue: text) { rows += try connection.rows(Self.byID(id)) }
            for app in request.bundleIds {
                let newest = try connection.rows(Self.ofBuyer(text, in: app))
                rows += found.first(Self.ordersOfBuyer, of: newest)
            }
            for row in rows where seen.insert(try row["order_id"]).inserted { try add(row, to: &found) }
        }
        return found
    }

    /// Each part by an index of its own.
    static func byName(_ text: String) -> SQL {
        """
        SELECT * FROM orders WHERE purchase_id = \(text)
        UNION SELECT * FROM orders WHERE transaction_id = \(text) AND transaction_id <> purchase_id
        UNION SELECT * FROM orders WHERE reference = \(text)
        UNION SELECT * FROM orders WHERE released_purchase_id = \(text)
        """
    }

    private static func byID(_ order: OrderID) -> SQL { "SELECT * FROM orders WHERE order_id = \(order)" }

    /// The newest of a buyer, and one more.
    static func ofBuyer(_ buyer: String, in app: BundleID) -> SQL {
        """
        SELECT * FROM orders WHERE buyer_id = \(buyer) AND bundle_id = \(app)
        ORDER BY order_id DESC LIMIT \(ordersOfBuyer + 1)
        """
    }

    private func add(_ row: Row, to found: inout FoundFacts) throws(StoreError) {
        let order: OrderID = try row["order_id"]
        found.facts += try placing(row) + payment(row)
        for step in try StepLogStore(connection: connection).log(of: order).entries {
            var fact = DeskFact(.phoneStep, at: step.at)
            (fact.orderId, fact.word) = (order, step.step.rawValue)
            let error = [step.domain, step.code].compactMap(\.self).joined(separator: " ")
            fact.detail = error.isEmpty ? nil : error
            found.facts.append(fact)
        }
        let names: [String?] = [
            order.rawValue, try row["purchase_id"], try row["transaction_id"],
            try row["released_purchase_id"],
        ]
        found.related += names.compactMap(\.self)
    }

    private func fact(
        _ kind: DeskFact.Kind,
        at time: Timestamp,
        _ row: Row,
        by event: String? = nil,
        _ cause: String? = nil
    ) throws(StoreError) -> DeskFact {
        var fact = DeskFact(kind, at: time)
        fact.bundleId = try row["bundle_id"]
        fact.environment = try row["environment"]
        fact.orderId = try row["order_id"]
        fact.purchaseId = try row["purchase_id"]
        fact.transactionId = try row["transaction_id"]
        fact.buyerId = try row["buyer_id"]
        fact.productId = try row["product_id"]
        fact.quantity = try row["quantity"]
        if let event { fact.eventId = try row[event] }
        if let cause { fact.causationId = try row[cause] }
        return fact
    }

    private func placing(_ row: Row) throws(StoreError) -> [DeskFact] {
        let issuedAt: Timestamp = try row["issued_at"]
        let origin: OrderV1.Origin = try row["origin"]
        let kind: DeskFact.Kind = origin == .phone ? .ordered : .orderMade
        var ordered = try fact(kind, at: issuedAt, row, by: "issue_event")
        (ordered.word, ordered.reference) = (origin.rawValue, try row["reference"])
        var facts = [ordered]
        if let time: Timestamp = try row["reported_at"] {
            var reported = try fact(.reported, at: time, row, by: "report_event")
            (reported.word, reported.detail) = (try row["error_code"], try row["error_domain"])
            // What else a phone reports is the state of the order.
            if reported.word != nil || reported.detail != nil { facts.append(reported) }
        }
        if let time: Timestamp = try row["closed_at"] {
            var closed = try fact(.closed, at: time, row, by: "close_event")
            closed.word = try row["close_reason"]
            facts.append(closed)
        }
        return facts
    }

    private func payment(_ row: Row) throws(StoreError) -> [DeskFact] {
        let (issuedAt, paidAt): (Timestamp, Timestamp?) = (try row["issued_at"], try row["paid_at"])
        let (payment, fulfilment): (String, String) = (try row["payment"], try row["fulfilment"])
        var facts: [DeskFact] = []
        if payment == "paid", let paidAt {
            var paid = try fact(.paid, at: paidAt, row, by: "claim_event", "claim_cause")
            paid.word = try row["held_by"]
            facts.append(paid)
            if fulfilment == "none" { facts.append(try fact(.awaitsLedger, at: paidAt, row)) }
        }
        let next: Timestamp? = try row["lookup_at"]
        if payment == "issued" || payment == "deferred" || next != nil {
            var open = try fact(.awaitsPayment, at: issuedAt, row)
            (open.word, open.next) = (payment, next)
            facts.append(open)
        }
        if let purchase: PurchaseID = try row["released_purchase_id"] {
            let updatedAt: Timestamp? = try row["updated_at"]
            var released = try fact(.released, at: updatedAt ?? paidAt ?? issuedAt, row)
            released.purchaseId = purchase
            facts.append(released)
        }
        return facts
    }
}
