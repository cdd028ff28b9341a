/// One row of a result, read by column names.
package struct Row: Hashable, Sendable {
    private let columns: Columns
    package let values: [Value]

    package var names: [String] { columns.names }

    init(_ columns: Columns, _ values: [Value]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column.
    ///
    /// - Throws: `StoreError.corrupt` when there is no such column, or its value has another type.
    package subscript<Converted: ValueConvertible>(_ column: String) -> Converted {
        get throws(StoreError) {
            if let index = columns.index(of: column) { return try self[index] }
            throw .corrupt("there is no column \(column)")
        }
    }

    /// The value of a column, by its position.
    package subscript<Converted: ValueConvertible>(_ index: Int) -> Converted {
        get throws(StoreError) {
            do {
                return try Converted(storedValue: values[index])
            } catch {
                throw .corrupt("column \(names[index]) does not hold \(Converted.self)")
            }
        }
    }

    /// Rows with the same values are equal, whatever their columns are called.
    package static func == (left: Row, right: Row) -> Bool { left.values == right.values }

    package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
