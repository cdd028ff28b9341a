/// A statement with its parameters, written as text: `"DELETE FROM delayed_event WHERE number = \(number)"`.
///
/// Every interpolated value becomes a parameter; only `\(raw:)` is text of the statement.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    package let text: String
    package let values: [Value]

    package init(stringLiteral value: String) {
        text = value
        values = []
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    /// Collects the text and the parameters of a statement.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        /// Adds text of the statement.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a parameter.
        package mutating func appendInterpolation(_ value: some ValueConvertible) {
            text += "?"
            values.append(value.storedValue)
        }

        /// Adds a parameter that may be NULL.
        package mutating func appendInterpolation<Wrapped: ValueConvertible>(_ value: Wrapped?) {
            text += "?"
            values.append(value.storedValue)
        }

        /// Adds a part of a statement with its parameters.
        package mutating func appendInterpolation(_ part: SQL) {
            text += part.text
            values += part.values
        }

        /// Adds raw text, such as a list of columns; never input from outside.
        package mutating func appendInterpolation(raw: String) { text += raw }
    }
}
