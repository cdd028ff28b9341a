import Contracts
import Database
import Delivery

extension Connection {
    /// The JSON in the only column of the first row; nil when there is no row or the column is NULL.
    func content<Content: Decodable>(_ sql: SQL) throws(StoreError) -> Content? {
        guard let text: String = try value(sql) else { return nil }
        return try JSONColumn.value(of: text)
    }

    /// Whether there is such a row.
    func exists(_ rows: SQL) throws(StoreError) -> Bool {
        try row("SELECT 1 FROM \(rows) LIMIT 1") != nil
    }

    /// How many of these rows there are, and since when the first is there.
    func counts(of rows: SQL) throws(StoreError) -> (count: Int, oldest: Timestamp?) {
        let counts = try row("SELECT COUNT(*) AS count, MIN(since) AS oldest FROM \(rows)") {
            row throws(StoreError) -> (Int, Timestamp?) in (try row["count"], try row["oldest"])
        }
        return counts ?? (0, nil)
    }

    /// The `state` and `reason` of a row that must be there; `item` names it in the error.
    func status(_ sql: SQL, of item: String) throws(StoreError) -> RetryPage.ItemStatus {
        guard let row = try row(sql) else { throw .corrupt("\(item) is gone") }
        return RetryPage.ItemStatus(try row["state"], reason: try row["reason"])
    }
}

extension Row {
    /// The JSON in a column; nil where that is NULL.
    func json<Content: Decodable>(_ column: String) throws(StoreError) -> Content? {
        guard let text: String = try self[column] else { return nil }
        return try JSONColumn.value(of: text)
    }
}
