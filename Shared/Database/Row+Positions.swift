extension Row {
    package init(_ values: [Value]) { self.init([], values) }

    /// The integer in a column.
    package func integer(_ column: Int) throws(StoreError) -> Int64 { try value(column) }

    /// The integer in a column, as `Int`.
    package func int(_ column: Int) throws(StoreError) -> Int { try value(column) }

    /// The text in a column.
    package func text(_ column: Int) throws(StoreError) -> String { try value(column) }

    /// The bytes in a column.
    package func blob(_ column: Int) throws(StoreError) -> [UInt8] { try value(column) }

    /// Whether a column holds anything but NULL.
    package func has(_ column: Int) -> Bool { values[column] != .null }

    /// The text in a column, or nil for NULL.
    package func optionalText(_ column: Int) throws(StoreError) -> String? { try value(column) }

    /// The integer in a column, or nil for NULL.
    package func optionalInteger(_ column: Int) throws(StoreError) -> Int64? { try value(column) }

    private func value<Converted: ValueConvertible>(_ column: Int) throws(StoreError) -> Converted {
        guard let converted = Converted(storedValue: values[column]) else {
            throw .corrupt("column \(column) does not hold \(Converted.self)")
        }
        return converted
    }
}
