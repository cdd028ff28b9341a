/// One row of a result, read by column names.
package struct Row: Hashable, Sendable {
    package let names: [String]
    package let values: [Value]

    package init(_ names: [String], _ values: [Value]) {
        self.names = names
        self.values = values
    }

    /// The value of a column.
    ///
    /// - Throws: `StoreError.corrupt` when there is no such column, or its value has another type.
    package subscript<Converted: ValueConvertible>(_ column: String) -> Converted {
        get throws(StoreError) {
            guard let index = index(of: column) else { throw .corrupt("there is no column \(column)") }
            return try self[index]
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

    /// Compares lengths first, because most names differ in length.
    private func index(of column: String) -> Int? {
        let count = column.utf8.count
        return names.firstIndex { $0.utf8.count == count && $0 == column }
    }
}
