/// A date of Apple's, in ms since 1970.
///
/// Fractions, which Xcode writes, are cut off.
package struct Milliseconds: Hashable, Sendable, Codable {
    package let count: Int64

    package init(_ count: Int64) { self.count = count }

    /// The same moment as a `Timestamp`.
    package var timestamp: Timestamp { Timestamp(milliseconds: count) }

    /// Decodes a number, whole or fractional.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            count = try container.decode(Int64.self)
        } catch {
            // JSONDecoder refuses a fraction for Int64 with its private error type, so any failure falls back
            // to Double, which names the field when it is no number.
            let fractional = try container.decode(Double.self)
            guard let whole = Int64(exactly: fractional.rounded(.towardZero)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
            }
            count = whole
        }
    }

    /// Encodes a whole number.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}
