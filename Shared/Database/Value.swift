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

extension Value: ValueConvertible {
    package var storedValue: Value { self }
    package init(storedValue: Value) { self = storedValue }
}
