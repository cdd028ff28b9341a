import Contracts
import Database
import Delivery

/// The parts of submissions that are not sent yet.
///
/// Those of a receipt have turns that count up. A receipt begins where the one that is furthest is now, so that none
/// waits for all parts of another one.
struct SubmissionPartStore {
    let connection: any Connection

    /// Whether there is none, without reading one: what cannot be decoded must not stop the other work.
    func isEmpty() throws(StoreError) -> Bool {
        try !connection.exists("submission_part")
    }

    func contains(_ receipt: ReceiptID) throws(StoreError) -> Bool {
        try connection.exists("submission_part WHERE receipt_id = \(receipt)")
    }

    func count() throws(StoreError) -> Int {
        try connection.value("SELECT COUNT(receipt_id) FROM submission_part") ?? 0
    }

    /// The receipts of which parts wait, by their turns, without reading a part.
    func receipts(limit: Int) throws(StoreError) -> [ReceiptID] {
        try connection.rows(
            """
            SELECT receipt_id FROM submission_part
            GROUP BY receipt_id ORDER BY MIN(turn), MIN(number) LIMIT \(limit)
            """
        ) { row throws(StoreError) -> ReceiptID in try row["receipt_id"] }
    }

    /// Adds parts of a receipt, behind those of it that wait.
    func add(_ parts: some Sequence<SubmissionPart>, of receipt: ReceiptID, cause: EventID?) throws {
        var turn = try nextTurn(of: receipt)
        for part in parts {
            try connection.execute(
                """
                INSERT INTO submission_part (receipt_id, turn, cause_id, content)
                VALUES (\(receipt), \(turn), \(cause), \(try JSONColumn.text(part)))
                """
            )
            turn += 1
        }
    }

    private func nextTurn(of receipt: ReceiptID) throws(StoreError) -> Int64 {
        let last: Int64? = try connection.value(
            "SELECT MAX(turn) FROM submission_part WHERE receipt_id = \(receipt)"
        )
        if let last { return last + 1 }
        let furthest: Int64? = try connection.value(
            """
            SELECT MAX(turn) FROM (
              SELECT MIN(turn) AS turn FROM submission_part GROUP BY receipt_id
            ) AS first
            """
        )
        return furthest ?? 0
    }

    /// The first part of a receipt and what caused it; its row is deleted.
    ///
    /// - Throws: `StoreError.corrupt` when the part cannot be decoded.
    func takeFirst(of receipt: ReceiptID) throws(StoreError) -> (part: SubmissionPart, cause: EventID?)? {
        let first = try connection.row(
            "SELECT * FROM submission_part WHERE receipt_id = \(receipt) ORDER BY turn LIMIT 1"
        )
        guard let first else { return nil }
        let number: Int64 = try first["number"]
        let part: SubmissionPart = try JSONColumn.value(of: first["content"])
        try connection.execute("DELETE FROM submission_part WHERE number = \(number)")
        return (part, try first["cause_id"])
    }
}
