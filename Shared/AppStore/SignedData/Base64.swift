/// The two alphabets of RFC 4648, decoded through a table.
///
/// Strict: no line breaks or foreign characters, unused bits are zero, so that texts and bytes match one to
/// one. `url` takes no padding (RFC 7515 §2), `standard` requires it (RFC 7515 §4.1.6).
enum Base64 {
    case url
    case standard

    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? { text.withUnsafeBufferPointer(decode) }

    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
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

    private static let urlTable = table(last: "-", "_")
    private static let standardTable = table(last: "+", "/")

    private static func table(last secondLast: Unicode.Scalar, _ last: Unicode.Scalar) -> [UInt8] {
        let ranges: [ClosedRange<UInt8>] = [
            UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
        ]
        let alphabet = ranges.flatMap(Array.init) + [UInt8(ascii: secondLast), UInt8(ascii: last)]
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }
}
