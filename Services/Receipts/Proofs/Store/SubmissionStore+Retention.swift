import Contracts
import Database
import Delivery

extension SubmissionStore {
    /// The oldest judgement in a state among those with text.
    func oldest(_ state: SubmissionAssessment.State) throws(StoreError) -> Timestamp? {
        try connection.value("SELECT MIN(judged_at) FROM submission WHERE \(Self.withText(state))")
    }

    typealias Aged = (receiptID: ReceiptID, bundleID: BundleID, buyerID: BuyerID)

    /// The oldest submissions with text in a state, judged by `end`.
    func aged(
        _ state: SubmissionAssessment.State,
        until end: Timestamp,
        limit: Int
    ) throws(StoreError) -> [Aged] {
        try connection.rows(
            """
            SELECT receipt_id, bundle_id, buyer_id FROM submission
            WHERE \(Self.withText(state)) AND judged_at <= \(end) ORDER BY judged_at LIMIT \(limit)
            """
        ) { row throws(StoreError) in (try row["receipt_id"], try row["bundle_id"], try row["buyer_id"]) }
    }

    func forget(_ id: ReceiptID) throws(StoreError) {
        try connection.execute("DELETE FROM submission WHERE receipt_id = \(id) AND state = 'invalid'")
    }

    /// Replaces a proof's text with digest and facts, unless it was parked meanwhile.
    func dropText(of record: SubmissionRecord, _ facts: ProofContents) throws {
        try connection.execute(
            """
            UPDATE submission SET proof = \([] as [UInt8]), size = 0, chain_id = NULL, chain_at = NULL,
              digest = \(record.proof.digest), findings = \(try JSONColumn.text(facts))
            WHERE receipt_id = \(record.receiptID) AND state = 'verified' AND digest IS NULL
            """
        )
    }

    private static func withText(_ state: SubmissionAssessment.State) -> SQL {
        state == .invalid ? "state = 'invalid'" : "state = '\(raw: state.stored)' AND digest IS NULL"
    }
}
