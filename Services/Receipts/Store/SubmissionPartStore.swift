import Contracts
import Database
import Delivery

/// The parts of submissions that are not sent yet, the first one first.
struct SubmissionPartStore {
    let connection: any Connection

    /// Whether there is none, without reading one: what cannot be decoded must not stop the other work.
    func isEmpty() throws(StoreError) -> Bool {
        try connection.row("SELECT 1 FROM submission_part LIMIT 1") == nil
    }

    func contains(_ receipt: ReceiptID) throws(StoreError) -> Bool {
        try connection.row("SELECT 1 FROM submission_part WHERE receipt_id = \(receipt) LIMIT 1") != nil
    }

    func count() throws(StoreError) -> Int {
        try connection.value("SELECT COUNT(receipt_id) FROM submission_part") ?? 0
    }

    func add(_ part: SubmissionPart, of receipt: ReceiptID, cause: EventID?) throws {
        try connection.execute(
            """
            INSERT INTO submission_part (receipt_id, cause_id, content)
            VALUES (\(receipt), \(cause), \(try JSONColumn.text(part)))
            """
        )
    }

    /// The first part and what caused it; its row is deleted.
    func takeFirst() throws(StoreError) -> (part: SubmissionPart, cause: EventID?)? {
        let first = try connection.row("SELECT * FROM submission_part ORDER BY number LIMIT 1") {
            row throws(StoreError) -> (number: Int64, part: SubmissionPart, cause: EventID?) in
            (try row["number"], try JSONColumn.value(of: row["content"]), try row["cause_id"])
        }
        guard let first else { return nil }
        try connection.execute("DELETE FROM submission_part WHERE number = \(first.number)")
        return (first.part, first.cause)
    }
}
