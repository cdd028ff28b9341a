import Contracts
import Database
import Delivery

struct HoldingStore {
    let connection: any Connection

    /// Adds what an entry moves to what the buyer holds.
    func add(_ line: Grant.Line, of record: GrantRecord) throws(StoreError) {
        let (facts, buyer) = (record.facts, record.grant.buyerId)
        guard line.isPossession else {
            let account = Balance(facts.bundleId, buyer, facts.environment, line.entitlement)
            try add(line.kind.isForBuyer ? line.amount : -line.amount, to: account)
            return
        }
        guard !line.kind.isForBuyer else {
            try connection.execute(
                """
                INSERT INTO possession (bundle_id, buyer_id, environment, entitlement, purchase_id, product_id, since,
                  days, quantity)
                VALUES (\(facts.bundleId), \(buyer), \(facts.environment), \(line.entitlement),
                  \(facts.purchaseId), \(facts.productId), \(facts.purchaseDate), \(line.durationDays),
                  \(facts.quantity))
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

    /// Which balance of a buyer.
    struct Balance {
        let bundleId: BundleID
        let buyerId: BuyerID
        let environment: Environment
        let entitlement: String

        init(_ bundle: BundleID, _ buyer: BuyerID, _ environment: Environment, _ entitlement: String) {
            (bundleId, buyerId) = (bundle, buyer)
            (self.environment, self.entitlement) = (environment, entitlement)
        }
    }

    /// The present amount; 0 before the first entry.
    func amount(of balance: Balance) throws(StoreError) -> Int64 {
        try connection.value(
            """
            SELECT amount FROM balance
            WHERE bundle_id = \(balance.bundleId) AND buyer_id = \(balance.buyerId)
              AND environment = \(balance.environment) AND entitlement = \(balance.entitlement)
            """
        ) ?? 0
    }

    /// Adds a signed amount.
    func add(_ change: Int64, to balance: Balance) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO balance (bundle_id, buyer_id, environment, entitlement, amount)
            VALUES (\(balance.bundleId), \(balance.buyerId), \(balance.environment), \(balance.entitlement),
              \(change))
            ON CONFLICT (bundle_id, buyer_id, environment, entitlement)
            DO UPDATE SET amount = balance.amount + excluded.amount
            """
        )
    }

    func balances(_ request: EntitlementsGetV1) throws(StoreError) -> [String: Int64] {
        var balances: [String: Int64] = [:]
        for row in try connection.rows("SELECT entitlement, amount FROM balance WHERE \(request.condition)") {
            balances[try row["entitlement"]] = try row["amount"] as Int64
        }
        return balances
    }

    /// What the buyer possesses at `now` in one environment.
    func possessions(
        _ request: EntitlementsGetV1,
        at now: Timestamp
    ) throws(StoreError) -> [EntitlementsV1.Possession] {
        let rows = try connection.rows(
            """
            SELECT entitlement, purchase_id, product_id, since, days, quantity FROM possession
            WHERE \(request.condition) ORDER BY entitlement, since, purchase_id
            """
        ) { row throws(StoreError) in
            TimedPossession.Source(
                entitlement: try row["entitlement"],
                productId: try row["product_id"],
                purchase: TimedPossession.Purchase(
                    id: try row["purchase_id"],
                    purchaseDate: try row["since"],
                    durationDays: try row["days"] ?? TimedPossession.forever,
                    quantity: try row["quantity"]
                )
            )
        }
        return TimedPossession.held(rows, at: now)
    }
}

extension EntitlementsGetV1 {
    fileprivate var condition: SQL {
        "bundle_id = \(bundleId) AND buyer_id = \(buyerId) AND environment = \(environment)"
    }
}
