/// One value of a row or a parameter.
package enum Value: Hashable, Sendable, ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral
{
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package init(nilLiteral: ()) { self = .null }

    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(stringLiteral value: String) { self = .text(value) }

    package init(_ integer: Int64?) { self = integer.map(Value.integer) ?? .null }

    package init(_ integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .null }

    package init(_ text: String?) { self = text.map(Value.text) ?? .null }

    package init(_ bytes: [UInt8]?) { self = bytes.map(Value.blob) ?? .null }

    package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}

/// One row of an answer; columns are counted from 0 in the order of the SELECT.
package struct Row: Hashable, Sendable {
    package let values: [Value]

    package init(_ values: [Value]) { self.values = values }

    /// The integer in a column.
    ///
    /// - Throws: `StoreError.corrupt` when the column holds something else.
    package func integer(_ column: Int) throws(StoreError) -> Int64 {
        guard case .integer(let integer) = values[column] else { throw mismatch(column, "an integer") }
        return integer
    }

    /// The integer in a column, as `Int`.
    ///
    /// - Throws: `StoreError.corrupt` when the column holds something else.
    package func int(_ column: Int) throws(StoreError) -> Int { Int(try integer(column)) }

    /// The text in a column.
    ///
    /// - Throws: `StoreError.corrupt` when the column holds something else.
    package func text(_ column: Int) throws(StoreError) -> String {
        guard case .text(let text) = values[column] else { throw mismatch(column, "text") }
        return text
    }

    /// The bytes in a column.
    ///
    /// - Throws: `StoreError.corrupt` when the column holds something else.
    package func blob(_ column: Int) throws(StoreError) -> [UInt8] {
        guard case .blob(let bytes) = values[column] else { throw mismatch(column, "bytes") }
        return bytes
    }

    /// Whether a column holds anything but NULL.
    package func has(_ column: Int) -> Bool { values[column] != .null }

    /// The text in a column, or nil for NULL.
    ///
    /// - Throws: `StoreError.corrupt` when the column holds something else.
    package func optionalText(_ column: Int) throws(StoreError) -> String? {
        has(column) ? try text(column) : nil
    }

    /// The integer in a column, or nil for NULL.
    ///
    /// - Throws: `StoreError.corrupt` when the column holds something else.
    package func optionalInteger(_ column: Int) throws(StoreError) -> Int64? {
        has(column) ? try integer(column) : nil
    }

    private func mismatch(_ column: Int, _ wanted: String) -> StoreError {
        .corrupt("column \(column) does not hold \(wanted)")
    }
}
