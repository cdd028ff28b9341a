/// The trace of which a message is a part, as the header `traceparent` names it.
///
/// Source: W3C Trace Context, version 00: `version-traceid-parentid-flags` in lower-case hexadecimal. Of a later
/// version only what begins like version 00 is known, and is told on as version 00.
package struct Traceparent: Hashable, Sendable {
    private static let (bytes, hyphens) = (55, [2, 35, 52])
    private static let (traceID, parentID) = (3..<35, 36..<52)
    /// Of the flags: sampled, and random trace id; all others are told on as 0.
    private static let knownFlags: UInt8 = 0b11

    package let text: String

    /// Nil for a value that is wrong: the specification wants it treated as absent.
    package init?(_ header: String) {
        let value = Array(header.utf8.prefix(Self.bytes + 1))
        let (version, zero, hyphen) = (value.prefix(2), UInt8(ascii: "0"), UInt8(ascii: "-"))
        guard value.count >= Self.bytes, version != [UInt8(ascii: "f"), UInt8(ascii: "f")] else { return nil }
        guard value.count == Self.bytes || version != [zero, zero] && value[Self.bytes] == hyphen else {
            return nil
        }
        for (index, byte) in value.prefix(Self.bytes).enumerated() {
            let isHyphen = Self.hyphens.contains(index)
            guard isHyphen ? byte == hyphen : Self.digit(byte) != nil else { return nil }
        }
        guard value[Self.traceID].contains(where: { $0 != zero }),
            value[Self.parentID].contains(where: { $0 != zero }),
            let flags = Self.digit(value[Self.bytes - 1])
        else { return nil }
        let identifiers = String(
            decoding: value[Self.traceID.lowerBound..<Self.parentID.upperBound],
            as: UTF8.self
        )
        text = "00-\(identifiers)-0\(flags & Self.knownFlags)"
    }

    /// The value of a lower-case hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
