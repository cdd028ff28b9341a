import Synchronization

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

/// The columns of a result.
final class Columns: Sendable {
    let names: [String]
    /// Where the next name is looked for first: a record is read about in the order of its columns.
    private let next = Atomic(0)

    init(_ names: [String]) { self.names = names }

    func index(of column: String) -> Int? {
        let start = next.load(ordering: .relaxed)
        let isColumn = { (index: Int) in self.names[index] == column }
        let found = (start..<names.count).first(where: isColumn) ?? (0..<start).first(where: isColumn)
        if let found { next.store(found + 1, ordering: .relaxed) }
        return found
    }
}
