/// An identifier stored as text and checked at decoding.
///
/// A value exists only if `isValid` held; decoding an invalid one fails. Equality compares bytes, as a store
/// and a shard do, not Unicode equivalence: `é` in one scalar or two is two.
package protocol TextIdentifier: Hashable, Comparable, Sendable, Codable, CustomStringConvertible,
    DirectlyCoded
{
    var rawValue: String { get }

    /// The identifier in canonical form; nil when `rawValue` is invalid.
    init?(rawValue: String)

    /// Skips the check of text that is known to be valid.
    init(unchecked rawValue: String)

    static func isValid(_ text: String) -> Bool
}

extension TextIdentifier {
    package init?(rawValue: String) {
        guard Self.isValid(rawValue) else { return nil }
        self.init(unchecked: rawValue)
    }

    /// Decodes a string and checks it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = Self(rawValue: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a valid \(Self.self)"
            )
        }
        self = identifier
    }

    /// Encodes the bare string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }

    /// Compares bytes.
    package static func == (left: Self, right: Self) -> Bool {
        left.rawValue.withBytes { left in right.rawValue.withBytes { left.elementsEqual($0) } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }

    /// Compares bytes, as a store sorts them.
    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}

extension String {
    /// Whether this is text without control characters, with so many bytes of UTF-8.
    package func isPrintable(bytes: ClosedRange<Int>) -> Bool {
        withBytes { utf8 in
            bytes.contains(utf8.count) && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    /// Whether this is ASCII letters, digits, `.`, `_` and `-`, of so many bytes.
    func isToken(bytes: ClosedRange<Int>) -> Bool {
        withBytes { bytes.contains($0.count) && $0.allSatisfy(Self.isTokenByte) }
    }

    /// Whether this is so many hexadecimal digits in lower case.
    package func isHexadecimal(digits: Int) -> Bool {
        withBytes { $0.count == digits && $0.allSatisfy(Self.isHexadecimalByte) }
    }

    static func isHexadecimalByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension Sequence<UInt8> {
    /// Two digits in lower case a byte.
    package var hexadecimal: String {
        let bytes = Array(self)
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for place in 0..<2 * bytes.count {
                let byte = bytes[place / 2]
                let digit = place.isMultiple(of: 2) ? byte >> 4 : byte & 0xF
                text[place] = (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + digit
            }
            return 2 * bytes.count
        }
    }
}
