import Contracts
import Database
import EntitlementsCore

/// What the ledger adds up to: a buyer's balances, and what they have.
struct HoldingStore {
    let connection: any Connection

    /// Adds a line of the ledger to what its buyer holds.
    func add(_ line: Grant.Line, of record: GrantRecord) throws(StoreError) {
        guard line.isPossession else { return try addToBalance(line, of: record) }
        if line.amount > 0 { try give(line, of: record) } else { try takeBack(line, of: record) }
    }

    private func key(_ line: Grant.Line, _ record: GrantRecord) -> [Value] {
        [
            .text(record.facts.bundleId.rawValue), .text(record.grant.buyerId.rawValue),
            .text(record.facts.environment.rawValue), .text(line.entitlement),
        ]
    }

    private func addToBalance(_ line: Grant.Line, of record: GrantRecord) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO balance (bundle_id, buyer_id, environment, entitlement, amount) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (bundle_id, buyer_id, environment, entitlement)
            DO UPDATE SET amount = balance.amount + excluded.amount
            """,
            key(line, record) + [.integer(line.amount)]
        )
    }

    private func give(_ line: Grant.Line, of record: GrantRecord) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO possession (bundle_id, buyer_id, environment, entitlement, purchase_id, product_id, since)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            key(line, record) + [
                .text(record.facts.purchaseId.rawValue), .text(record.facts.productId.rawValue),
                .integer(record.facts.purchaseDate.milliseconds),
            ]
        )
    }

    private func takeBack(_ line: Grant.Line, of record: GrantRecord) throws(StoreError) {
        let removed = try connection.execute(
            """
            DELETE FROM possession WHERE bundle_id = ? AND buyer_id = ? AND environment = ? AND entitlement = ?
              AND purchase_id = ?
            """,
            key(line, record) + [.text(record.facts.purchaseId.rawValue)]
        )
        guard removed == 1 else { throw .corrupt("a possession that was granted is not there") }
    }

    /// The buyer's balances in one environment.
    func balances(_ request: EntitlementsGetV1) throws(StoreError) -> [String: Int64] {
        let rows = try connection.rows(
            "SELECT entitlement, amount FROM balance WHERE bundle_id = ? AND buyer_id = ? AND environment = ?",
            key(request)
        )
        var balances: [String: Int64] = [:]
        for row in rows { balances[try row.text(0)] = try row.integer(1) }
        return balances
    }

    /// What the buyer has in one environment; of several purchases that give the same, the oldest speaks.
    func possessions(_ request: EntitlementsGetV1) throws(StoreError) -> [EntitlementsV1.Possession] {
        let rows = try connection.rows(
            """
            SELECT entitlement, product_id, since, expires FROM possession
            WHERE bundle_id = ? AND buyer_id = ? AND environment = ?
            ORDER BY entitlement, since, purchase_id
            """,
            key(request)
        )
        var possessions: [EntitlementsV1.Possession] = []
        for row in rows where try row.text(0) != possessions.last?.entitlement {
            possessions.append(
                EntitlementsV1.Possession(
                    entitlement: try row.text(0),
                    productId: ProductID(unchecked: try row.text(1)),
                    since: Timestamp(milliseconds: try row.integer(2)),
                    expires: try row.optionalInteger(3).map(Timestamp.init(milliseconds:))
                )
            )
        }
        return possessions
    }

    private func key(_ request: EntitlementsGetV1) -> [Value] {
        [
            .text(request.bundleId.rawValue), .text(request.buyerId.rawValue),
            .text(request.environment.rawValue),
        ]
    }
}
