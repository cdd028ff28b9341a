import Contracts
import Database
import Delivery

/// The claims that wait for Apple's word.
extension ClaimStore {
    /// How many claims wait for Apple's word, and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let waiting = try connection.row(
            "SELECT COUNT(*) AS count, MIN(since) AS oldest FROM claim WHERE state = 'waiting'"
        ) { row throws(StoreError) -> (Int, Timestamp?) in (try row["count"], try row["oldest"]) }
        return waiting ?? (0, nil)
    }

    /// When something is to be done for a claim that waits; now if it is due.
    func nextEvidenceDue(at now: Timestamp) throws(StoreError) -> Timestamp? {
        let due = AppleEvidence.due(at: now)
        let isDue = try due.rows(by: "evidence_due_at", limit: 1) { range throws(StoreError) in
            try connection.rows("SELECT 1 FROM claim WHERE state = 'waiting' AND \(range)") {
                _ throws(StoreError) in true
            }
        }
        if !isDue.isEmpty { return now }
        return try connection.value(
            """
            SELECT MIN(evidence_due_at) FROM claim WHERE state = 'waiting' AND \(due.later(than: "evidence_due_at"))
            """
        )
    }

    /// The claims for which something is to be done about Apple's word.
    func evidenceDue(at now: Timestamp, limit: Int) throws(StoreError) -> [ClaimRecord] {
        try AppleEvidence.due(at: now).rows(by: "evidence_due_at", limit: limit) { range throws(StoreError) in
            try records("state = 'waiting' AND \(range)")
        }
    }
}
