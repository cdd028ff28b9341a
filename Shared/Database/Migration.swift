/// One step of a schema; numbered from 1, run once, never changed once a version is released.
///
/// Its text is literal. A case or a bound that the code gets later reaches the stores that there are by a further step
/// alone.
package struct Migration: Sendable {
    package let number: Int
    package let statements: [String]

    package init(_ number: Int, _ statements: [String]) {
        self.number = number
        self.statements = statements
    }
}

/// SQL for a constraint: whether a column has one of these texts; null if it is null.
///
/// SQLite fills a table in memory each time that a statement checks an `IN` of more than two values, also where the
/// column is null. That was a third of the instructions of Orders; comparisons are none that can be seen.
package func isOneOf(_ column: String, _ values: [String]) -> String {
    "(" + values.map { "\(column) = '\($0)'" }.joined(separator: " OR ") + ")"
}
