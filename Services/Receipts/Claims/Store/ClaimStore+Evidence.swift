import Contracts
import Database
import Delivery

/// The claims that wait for Apple's word.
extension ClaimStore {
    /// How many claims wait for Apple's word, and since when the first does.
    func waiting() throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        try counts("state = 'waiting'")
    }

    /// When something is to be done next for a claim for which nothing is due.
    func nextEvidenceDue(after now: Timestamp) throws(StoreError) -> Timestamp? {
        let later = AppleEvidence.due(at: now).later(than: "evidence_due_at")
        return try connection.value(
            "SELECT MIN(evidence_due_at) FROM claim WHERE state = 'waiting' AND \(later)"
        )
    }

    /// The paths (`PurchaseKey`) of the claims for which something is to be done about Apple's word.
    func evidenceDue(at now: Timestamp, limit: Int) throws(StoreError) -> [String] {
        try AppleEvidence.due(at: now).rows(by: "evidence_due_at", limit: limit) { range throws(StoreError) in
            try connection.rows(
                "SELECT \(PurchaseKey.path) AS path FROM claim WHERE state = 'waiting' AND \(range)"
            ) { row throws(StoreError) -> String in try row["path"] }
        }
    }
}
