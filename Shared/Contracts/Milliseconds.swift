/// A date of Apple's: milliseconds since 1970.
///
/// Xcode writes fractions of a millisecond, which are cut off.
package struct Milliseconds: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    package let count: Int64

    package init(_ count: Int64) { self.count = count }

    /// The same moment as the services speak of it.
    package var timestamp: Timestamp { Timestamp(milliseconds: count) }

    /// Decodes a number, whole or not.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            count = try container.decode(Int64.self)
        } catch {
            // JSONDecoder refuses a fraction for Int64 with an error type of its own, so any failure asks for a
            // Double, which in turn names the field when it is no number at all.
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
