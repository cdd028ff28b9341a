/// The text of a UUID (RFC 9562), in lower case; the nil UUID is none: apps send it for no token.
///
/// Foundation's `UUID` reads and writes text through `sscanf` and `snprintf`, which every message would pay for.
package struct UUIDText: Hashable, Sendable {
    static let length = 36
    /// The nil UUID.
    package static let nilUUID = "00000000-0000-0000-0000-000000000000"

    package let text: String

    /// Accepts any case; nil for other text.
    package init?(_ text: String) {
        guard let isLowerCase = text.withBytes(Self.isLowerCase), text != Self.nilUUID else { return nil }
        self.text = isLowerCase ? text : text.lowercased()
    }

    /// Whether a UUID needs no change; nil for other text.
    private static func isLowerCase(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard utf8.count == length else { return nil }
        var isLowerCase = true
        for (index, byte) in utf8.enumerated() {
            let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
            switch byte {
            case UInt8(ascii: "-") where isHyphen: break
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !isHyphen: break
            case UInt8(ascii: "a")...UInt8(ascii: "f") where !isHyphen: break
            case UInt8(ascii: "A")...UInt8(ascii: "F") where !isHyphen: isLowerCase = false
            default: return nil
            }
        }
        return isLowerCase
    }

    /// The value of the hexadecimal digit at a place of the text.
    static func digit(at place: Int, of text: String) -> UInt16 {
        let byte = text.withBytes { $0[place] }
        return UInt16(byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : byte - UInt8(ascii: "a") + 10)
    }
}
