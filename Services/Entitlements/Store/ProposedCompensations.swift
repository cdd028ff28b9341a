import Contracts
import Database
import Delivery
import Domain

/// The compensations that wait for another operator, those first that have waited longest.
struct ProposedCompensations {
    let connection: any Connection
    /// What was proposed more than 7 days before waits no more.
    let now: Timestamp

    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let found = try connection.rows(Self.query(request, at: now)) {
            row throws(StoreError) -> CompensationV1 in
            try JSONColumn.value(of: row["document"])
        }
        return DeskPage(rows: found.prefix(request.limit).map(Self.row), hasMore: found.count > request.limit)
    }

    static func query(_ request: DeskListV1, at now: Timestamp) -> SQL {
        let start = request.startOfProposals(at: now)
        let before: SQL = request.before.map { " AND proposed_at < \($0)" } ?? ""
        return """
            SELECT document FROM compensation INDEXED BY compensation_proposed
            WHERE state = 'proposed' AND (proposed_at, proposal_id) > (\(start.since), \(start.key))\(before)
            ORDER BY proposed_at, proposal_id LIMIT \(request.limit + 1)
            """
    }

    private static func row(_ content: CompensationV1) -> DeskPage.Row {
        DeskPage.Row(
            kind: .proposedCompensation,
            place: DeskPage.Place(since: content.proposedAt, key: content.proposalId.rawValue),
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
            reason: content.reason
        )
    }
}
