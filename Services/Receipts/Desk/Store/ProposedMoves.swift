import Contracts
import Database
import Delivery
import Domain

/// The moves that wait for another operator, those first that have waited longest.
struct ProposedMoves {
    let connection: any Connection
    /// What was proposed more than 7 days before waits no more.
    let now: Timestamp

    func page(_ request: DeskListV1) throws(StoreError) -> DeskPage {
        let query = Self.query(request, at: now)
        let found = try connection.rows(query) { row throws(StoreError) -> ReassignmentProposalV1 in
            try JSONColumn.value(of: row["document"])
        }
        return DeskPage(rows: found.prefix(request.limit).map(Self.row), hasMore: found.count > request.limit)
    }

    static func query(_ request: DeskListV1, at now: Timestamp) -> SQL {
        let start = request.startOfProposals(at: now)
        let before: SQL = request.before.map { " AND proposed_at < \($0)" } ?? ""
        return """
            SELECT document FROM reassignment_proposal INDEXED BY reassignment_proposed
            WHERE is_decided = 0 AND (proposed_at, proposal_id) > (\(start.since), \(start.key))\(before)
            ORDER BY proposed_at, proposal_id LIMIT \(request.limit + 1)
            """
    }

    private static func row(_ proposal: ReassignmentProposalV1) -> DeskPage.Row {
        DeskPage.Row(
            kind: .proposedMove,
            place: DeskPage.Place(since: proposal.proposedAt, key: proposal.proposalId.rawValue),
            bundleId: proposal.bundleId,
            environment: proposal.environment,
            purchaseId: proposal.purchaseId,
            buyerId: proposal.buyerId,
            productId: proposal.productId,
            quantity: proposal.quantity,
            proposalId: proposal.proposalId,
            proposedBy: proposal.proposedBy,
            holderId: proposal.holderId,
            reason: proposal.reason
        )
    }
}
