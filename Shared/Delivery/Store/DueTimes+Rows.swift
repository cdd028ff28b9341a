package import Database
package import Domain

/// The rows whose stored time is due, and the next one's time; each is read by ranges of the column's index.
extension DueTimes {
    /// Whether the time in `column` is due, of rows that are found by other columns.
    package func condition(on column: String) -> SQL {
        "(\(raw: column) <= \(now) OR \(raw: column) > \(latest))"
    }

    /// Whether the time in `column` is not due yet.
    package func later(than column: String) -> SQL {
        "\(raw: column) > \(now) AND \(raw: column) <= \(latest)"
    }

    /// The rows that are due, longest due first, `limit` at most: those that a wrong clock wrote come before the
    /// others, because they are few and nobody else's turn may keep them waiting.
    ///
    /// `read` reads the rows of one range, in its order and up to its limit.
    package func rows<Item>(
        by column: String,
        limit: Int,
        _ read: (_ range: SQL) throws(StoreError) -> [Item]
    ) throws(StoreError) -> [Item] {
        let misdated = try read("\(raw: column) > \(latest) ORDER BY \(raw: column) LIMIT \(limit)")
        guard misdated.count < limit else { return misdated }
        let left = limit - misdated.count
        return try misdated + read("\(raw: column) <= \(now) ORDER BY \(raw: column) LIMIT \(left)")
    }
}
