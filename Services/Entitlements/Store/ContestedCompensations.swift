import Contracts
import Database
import Delivery
import Domain

/// The compensations that stand though their purchase is known and not their buyer's, those first that have waited
/// longest.
struct ContestedCompensations {
    let connection: any Connection

    func count() throws(StoreError) -> Int { try connection.value(Self.count) ?? 0 }

    static let count: SQL = """
        SELECT COUNT(*) FROM compensation INDEXED BY compensation_contested
        WHERE contested_at IS NOT NULL AND state = 'granted'
        """

    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let found = try connection.rows(Self.query(request)) { row throws(StoreError) -> DeskPage.Row in
            let content: CompensationV1 = try JSONColumn.value(of: row["document"])
            return DeskPage.Row(content, .contestedCompensation, since: try row["contested_at"])
        }
        return DeskPage(rows: Array(found.prefix(request.limit)), hasMore: found.count > request.limit)
    }

    static func query(_ request: DeskListV1) -> SQL {
        let start = request.start
        let before: SQL = request.before.map { " AND contested_at < \($0)" } ?? ""
        return """
            SELECT document, contested_at FROM compensation INDEXED BY compensation_contested
            WHERE contested_at IS NOT NULL AND state = 'granted'
              AND (contested_at, proposal_id) > (\(start.since), \(start.key))\(before)
            ORDER BY contested_at, proposal_id LIMIT \(request.limit + 1)
            """
    }
}

extension DeskPage.Row {
    /// A compensation as a row of a list.
    init(_ content: CompensationV1, _ kind: DeskPage.Kind, since: Timestamp) {
        self.init(
            kind: kind,
            place: DeskPage.Place(since: since, key: content.proposalId.rawValue),
            bundleId: content.bundleId,
            environment: content.environment,
            orderId: content.basis.orderId,
            buyerId: content.buyerId,
            productId: content.productId,
            quantity: content.quantity,
            proposalId: content.proposalId,
            proposedBy: content.proposedBy,
            basis: content.basis.kind,
            appleOrderId: content.basis.appleOrderId,
            transactionIds: content.basis.transactionIds,
            reason: content.reason
        )
    }
}
