/// A part of a redrive, small enough that heartbeats are answered in time.
package struct RedrivePage: Equatable, Sendable {
    package static let none = RedrivePage(rows: 0, next: [])

    /// Rows read, including those that do not concern the target.
    package let rows: Int
    /// The key of the last row, column by column; empty when no row follows.
    package let next: [String]

    package init(rows: Int, next: [String]) {
        self.rows = rows
        self.next = next
    }

    /// The page of these keys, of `limit` rows at most.
    package init(_ keys: [[String]], limit: Int) {
        self.init(rows: keys.count, next: keys.count < limit ? [] : keys.last ?? [])
    }
}
