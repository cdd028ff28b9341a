import Contracts
import Database
import Delivery
import Domain

struct HoldingStore {
    let connection: any Connection

    /// Adds what an entry moves to what the buyer holds.
    func add(_ line: Grant.Line, of record: GrantRecord) throws(StoreError) {
        let (facts, buyer) = (record.facts, record.grant.buyerId)
        guard line.isPossession else {
            let key = HoldingKey(facts.bundleId, buyer, facts.environment, line.entitlement)
            try add(line.kind.isForBuyer ? line.amount : -line.amount, to: key)
            return
        }
        guard !line.kind.isForBuyer else {
            try connection.execute(
                """
                INSERT INTO possession (bundle_id, buyer_id, environment, entitlement, purchase_id, product_id, since,
                  days, quantity, original_transaction_id)
                VALUES (\(facts.bundleId), \(buyer), \(facts.environment), \(line.entitlement),
                  \(facts.purchaseId), \(facts.productId), \(facts.purchaseDate), \(line.durationDays),
                  \(facts.quantity), \(facts.isPeriod ? facts.originalTransactionId : nil))
                """
            )
            return
        }
        let removed = try connection.execute(
            """
            DELETE FROM possession
            WHERE bundle_id = \(facts.bundleId) AND buyer_id = \(buyer) AND environment = \(facts.environment)
              AND entitlement = \(line.entitlement) AND purchase_id = \(facts.purchaseId)
            """
        )
        guard removed == 1 else { throw .corrupt("a possession that was granted is not there") }
    }

    /// The present balance; 0 before the first entry.
    func amount(of key: HoldingKey) throws(StoreError) -> Int64 {
        try connection.value(
            "SELECT amount FROM balance WHERE \(key.buyer.condition) AND entitlement = \(key.entitlement)"
        ) ?? 0
    }

    /// Adds a signed amount.
    func add(_ change: Int64, to key: HoldingKey) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO balance (bundle_id, buyer_id, environment, entitlement, amount)
            VALUES (\(key.bundleId), \(key.buyerId), \(key.environment), \(key.entitlement), \(change))
            ON CONFLICT (bundle_id, buyer_id, environment, entitlement)
            DO UPDATE SET amount = balance.amount + excluded.amount
            """
        )
    }

    func balances(_ buyer: BuyerKey) throws(StoreError) -> [String: Int64] {
        var balances: [String: Int64] = [:]
        for row in try connection.rows("SELECT entitlement, amount FROM balance WHERE \(buyer.condition)") {
            balances[try row["entitlement"]] = try row["amount"] as Int64
        }
        return balances
    }

    /// The entitlements that other purchases than these give the buyer for ever.
    func owned(_ buyer: BuyerKey, beside purchases: [PurchaseID]) throws(StoreError) -> Set<String> {
        var owned: Set<String> = []
        let rows = try connection.rows(
            """
            SELECT entitlement, purchase_id FROM possession
            WHERE \(buyer.condition) AND original_transaction_id IS NULL AND days IS NULL
            """
        )
        for row in rows where !purchases.contains(try row["purchase_id"]) {
            owned.insert(try row["entitlement"])
        }
        return owned
    }

    /// What the buyer possesses at `now` in one environment.
    func possessions(_ buyer: BuyerKey, at now: Timestamp) throws(StoreError) -> [EntitlementsV1.Possession] {
        try holdings(buyer).compactMap { $0.possession(at: now) }
    }

    /// Everything that gives the buyer one entitlement.
    func holding(_ buyer: BuyerKey, of entitlement: String) throws(StoreError) -> Holding {
        try holdings(buyer, of: entitlement).first ?? Holding(entitlement)
    }

    /// Everything that gives the buyer an entitlement, or one of them; by name.
    private func holdings(_ buyer: BuyerKey, of entitlement: String? = nil) throws(StoreError) -> [Holding] {
        var holdings: [String: Holding] = [:]
        let rows = try connection.rows(
            """
            SELECT entitlement, purchase_id, product_id, since, days, quantity FROM possession
            WHERE \(buyer.condition) AND original_transaction_id IS NULL
              AND entitlement = COALESCE(\(entitlement), entitlement)
            ORDER BY entitlement, since, purchase_id
            """
        )
        for row in rows {
            let name: String = try row["entitlement"]
            try holdings[name, default: Holding(name)].add(row)
        }
        for access in try SubscriptionStore(connection: connection).access(buyer) {
            for span in access.value.spans {
                for (name, since) in span.entitlements where entitlement == nil || name == entitlement {
                    holdings[name, default: Holding(name)].spans.append(
                        Holding.Span(
                            productId: span.productId,
                            since: since,
                            begins: span.begins,
                            ends: span.ends
                        )
                    )
                }
            }
        }
        return holdings.values.sorted { $0.entitlement < $1.entitlement }
    }
}

extension Holding {
    /// Adds a purchase that gives the entitlement for days or for ever.
    fileprivate mutating func add(_ row: Row) throws(StoreError) {
        let (product, date): (ProductID, Timestamp) = (try row["product_id"], try row["since"])
        guard let days: Int = try row["days"] else {
            permanent.append(Permanent(productId: product, purchaseDate: date))
            return
        }
        let purchase = TimedPossession.Purchase(
            id: try row["purchase_id"],
            purchaseDate: date,
            durationDays: days,
            quantity: try row["quantity"]
        )
        timed.append(Timed(productId: product, purchase: purchase))
    }
}

extension BuyerKey {
    /// The rows of this buyer and environment.
    var condition: SQL {
        "bundle_id = \(bundleId) AND buyer_id = \(buyerId) AND environment = \(environment)"
    }
}
