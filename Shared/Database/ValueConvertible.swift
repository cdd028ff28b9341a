/// A type that a column can hold; enums with raw values adopt it without members.
package protocol ValueConvertible {
    var storedValue: Value { get }

    /// Reads a column.
    ///
    /// It throws and does not return nil: for each column that is read, generic code would have to look up the
    /// optional's type at run time, which takes longer than the conversion.
    ///
    /// - Throws: `ConversionFailure` when the column has another type, or the value is not one of this type's.
    init(storedValue: Value) throws(ConversionFailure)
}

/// A column's value is none of the type that is read.
package struct ConversionFailure: Error {
    package init() {}
}

extension ValueConvertible where Self: FixedWidthInteger {
    /// `Int64.max` is SQL's largest number; no count gets that far.
    package var storedValue: Value { .integer(Int64(clamping: self)) }

    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .integer(let integer) = storedValue else { throw ConversionFailure() }
        guard let exact = Self(exactly: integer) else { throw ConversionFailure() }
        self = exact
    }
}

extension Int64: ValueConvertible {}
extension Int: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Bool: ValueConvertible {
    package var storedValue: Value { .integer(self ? 1 : 0) }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .integer(let integer) = storedValue else { throw ConversionFailure() }
        self = integer != 0
    }
}

extension String: ValueConvertible {
    package var storedValue: Value { .text(self) }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .text(let text) = storedValue else { throw ConversionFailure() }
        self = text
    }
}

extension [UInt8]: ValueConvertible {
    package var storedValue: Value { .blob(self) }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard case .blob(let bytes) = storedValue else { throw ConversionFailure() }
        self = bytes
    }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    package var storedValue: Value { self?.storedValue ?? .null }
    package init(storedValue: Value) throws(ConversionFailure) {
        guard storedValue != .null else {
            self = .none
            return
        }
        self = .some(try Wrapped(storedValue: storedValue))
    }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    package var storedValue: Value { rawValue.storedValue }
    package init(storedValue: Value) throws(ConversionFailure) {
        let rawValue = try RawValue(storedValue: storedValue)
        guard let known = Self(rawValue: rawValue) else { throw ConversionFailure() }
        self = known
    }
}
