import Contracts
import Database
import Delivery

/// The moves to other buyers that operators have proposed.
struct ReassignmentStore {
    let connection: any Connection

    func proposal(_ id: ProposalID) throws(StoreError) -> ReassignmentProposalV1? {
        try connection.row(
            "SELECT document FROM reassignment_proposal WHERE proposal_id = \(id)"
        ) { row throws(StoreError) in try JSONColumn.value(of: row["document"]) }
    }

    func add(_ proposal: ReassignmentProposalV1) throws {
        try connection.execute(
            """
            INSERT INTO reassignment_proposal (proposal_id, is_decided, proposed_at, document)
            VALUES (\(proposal.proposalId), \(false), \(proposal.proposedAt), \(try JSONColumn.text(proposal)))
            """
        )
    }

    /// Stores what has become of a proposal that waited.
    func decide(_ proposal: ReassignmentProposalV1) throws {
        let changed = try connection.execute(
            """
            UPDATE reassignment_proposal SET is_decided = \(true), document = \(try JSONColumn.text(proposal))
            WHERE proposal_id = \(proposal.proposalId) AND is_decided = 0
            """
        )
        guard changed == 1 else { throw StoreError.corrupt("a proposal is not in the state it was read in") }
    }
}
