import Contracts
import Database
import Delivery
import ReceiptsCore

extension SubmissionStore {
    /// The oldest judgement in a state among those with text.
    func oldest(_ state: SubmissionAssessment.State) throws(StoreError) -> Timestamp? {
        try connection.row("SELECT MIN(judged_at) FROM submission WHERE \(raw: Self.withText(state))")?
            .optionalInteger(0).map(Timestamp.init(milliseconds:))
    }

    struct Aged {
        let receiptID: ReceiptID
        let bundleID: BundleID
        let buyerID: BuyerID
    }

    /// The oldest submissions with text in a state, judged by `end`.
    func aged(
        _ state: SubmissionAssessment.State,
        until end: Timestamp,
        limit: Int
    ) throws(StoreError) -> [Aged] {
        let rows = try connection.rows(
            """
            SELECT receipt_id, bundle_id, buyer_id FROM submission
            WHERE \(Self.withText(state)) AND judged_at <= ? ORDER BY judged_at LIMIT ?
            """,
            [.integer(end.milliseconds), Value(limit)]
        )
        return try rows.map { row throws(StoreError) in
            Aged(
                receiptID: ReceiptID(unchecked: try row.text(0)),
                bundleID: BundleID(unchecked: try row.text(1)),
                buyerID: BuyerID(unchecked: try row.text(2))
            )
        }
    }

    func forget(_ id: ReceiptID) throws(StoreError) {
        try connection.execute(
            "DELETE FROM submission WHERE receipt_id = ? AND state = 'invalid'",
            [.text(id.rawValue)]
        )
    }

    /// Replaces a proof's text with digest and facts, unless it was parked meanwhile.
    func dropText(of record: SubmissionRecord, _ facts: ProofContents) throws {
        try connection.execute(
            """
            UPDATE submission SET proof = ?, size = 0, chain_id = NULL, chain_at = NULL, digest = ?, findings = ?
            WHERE receipt_id = ? AND state = 'verified' AND digest IS NULL
            """,
            [
                .blob([]), .blob(record.proof.digest), .text(try JSONColumn.text(facts)),
                .text(record.receiptID.rawValue),
            ]
        )
    }

    private static func withText(_ state: SubmissionAssessment.State) -> String {
        state == .invalid ? "state = 'invalid'" : "state = '\(state.stored)' AND digest IS NULL"
    }
}
