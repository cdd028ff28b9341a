/// The two alphabets of RFC 4648, decoded through a table.
///
/// Strict: no line breaks or foreign characters, unused bits are zero, so that texts and bytes match one to
/// one. `url` takes no padding (RFC 7515 §2), `standard` requires it (RFC 7515 §4.1.6).
package enum Base64 {
    case url
    case standard

    /// The bytes of a text; nil when it is none in this alphabet.
    package func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? { text.withUnsafeBufferPointer(decode) }

    /// The bytes of a text in memory; nil when it is none in this alphabet.
    package func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var source = text[...]
        if self == .standard {
            guard source.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where source.last == UInt8(ascii: "=") { source.removeLast() }
        }
        guard source.count % 4 != 1 else { return nil }
        let table = self == .url ? Self.urlTable : Self.standardTable
        return table.withUnsafeBufferPointer { Self.decode(UnsafeBufferPointer(rebasing: source), by: $0) }
    }

    private static func decode(
        _ source: UnsafeBufferPointer<UInt8>,
        by table: UnsafeBufferPointer<UInt8>
    ) -> [UInt8]? {
        var foreign: UInt8 = 0
        var leftover: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: source.count * 3 / 4) { target, count in
            var index = 0
            while index + 4 <= source.count {
                let first = table[Int(source[index])]
                let second = table[Int(source[index + 1])]
                let third = table[Int(source[index + 2])]
                let fourth = table[Int(source[index + 3])]
                foreign |= first | second | third | fourth
                target[count] = first << 2 | second >> 4
                target[count + 1] = second << 4 | third >> 2
                target[count + 2] = third << 6 | fourth
                index += 4
                count += 3
            }
            var bits: UInt32 = 0
            let rest = source.count - index
            while index < source.count {
                let value = table[Int(source[index])]
                foreign |= value
                bits = bits << 6 | UInt32(value)
                index += 1
            }
            if rest == 2 {
                target[count] = UInt8(truncatingIfNeeded: bits >> 4)
                leftover = bits & 0xF
                count += 1
            } else if rest == 3 {
                target[count] = UInt8(truncatingIfNeeded: bits >> 10)
                target[count + 1] = UInt8(truncatingIfNeeded: bits >> 2)
                leftover = bits & 0x3
                count += 2
            }
        }
        return foreign < 0x40 && leftover == 0 ? bytes : nil
    }

    private static let urlTable = table(last: "-_")
    private static let standardTable = table(last: "+/")

    private static func table(last: String) -> [UInt8] {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.utf8.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }
}

extension Base64 {
    /// A compact JWS without a transport's changes: line breaks, padding, the other alphabet.
    package static func normalizedJWS(_ text: String) -> [UInt8] {
        // Most texts have nothing to change, and are copied whole.
        let bytes = Array(text.utf8)
        guard bytes.contains(where: isForeign) else { return bytes }
        var solid: [UInt8] = []
        solid.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), UInt8(ascii: " "),
                UInt8(ascii: "="):
                continue
            case UInt8(ascii: "+"): solid.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): solid.append(UInt8(ascii: "_"))
            default: solid.append(byte)
            }
        }
        return solid
    }

    /// Whether a byte may not stay: of those below `0`, a compact JWS has only the dot and the hyphen.
    private static func isForeign(_ byte: UInt8) -> Bool {
        (byte < UInt8(ascii: "0") && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "-"))
            || byte == UInt8(ascii: "=")
    }
}
