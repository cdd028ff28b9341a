/// One value of a column or a parameter.
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

    package init(_ converted: some ValueConvertible) { self = converted.storedValue }
}

/// A type that a column can hold; enums with raw values adopt it without members.
package protocol ValueConvertible {
    var storedValue: Value { get }

    init?(storedValue: Value)
}

extension Value: ValueConvertible {
    package var storedValue: Value { self }
    package init?(storedValue: Value) { self = storedValue }
}

extension ValueConvertible where Self: FixedWidthInteger {
    /// `Int64.max` is SQL's largest number; no count gets that far.
    package var storedValue: Value { .integer(Int64(clamping: self)) }

    package init?(storedValue: Value) {
        guard case .integer(let integer) = storedValue else { return nil }
        self.init(exactly: integer)
    }
}

extension Int64: ValueConvertible {}
extension Int: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Bool: ValueConvertible {
    package var storedValue: Value { .integer(self ? 1 : 0) }
    package init?(storedValue: Value) {
        guard case .integer(let integer) = storedValue else { return nil }
        self = integer != 0
    }
}

extension String: ValueConvertible {
    package var storedValue: Value { .text(self) }
    package init?(storedValue: Value) {
        guard case .text(let text) = storedValue else { return nil }
        self = text
    }
}

extension [UInt8]: ValueConvertible {
    package var storedValue: Value { .blob(self) }
    package init?(storedValue: Value) {
        guard case .blob(let bytes) = storedValue else { return nil }
        self = bytes
    }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    package var storedValue: Value { self?.storedValue ?? .null }
    package init?(storedValue: Value) {
        guard storedValue != .null else {
            self = .none
            return
        }
        guard let wrapped = Wrapped(storedValue: storedValue) else { return nil }
        self = .some(wrapped)
    }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    package var storedValue: Value { rawValue.storedValue }
    package init?(storedValue: Value) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
