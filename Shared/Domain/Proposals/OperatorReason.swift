import Contracts

/// Why an operator does something, in their own words.
package enum OperatorReason {
    /// What is allowed, in words.
    package static let rule =
        "must be one line of \(Limits.reasonBytes.lowerBound) to \(Limits.reasonBytes.upperBound) bytes, "
        + "and not blanks alone"

    /// Whether whoever reads the record can read a reason.
    package static func isValid(_ text: String) -> Bool {
        text.isPrintable(bytes: Limits.reasonBytes) && !text.allSatisfy(\.isWhitespace)
    }
}
