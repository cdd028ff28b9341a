/// How many acts an operator has on a day.
package struct OperatorCount: Codable, Hashable, Sendable {
    /// Days since 1970, UTC.
    package var day: Int64
    package var count: Int
    /// Whether the act was not counted before.
    package var isNew: Bool
}
