/// Writes values of BER (X.690 §8.1), whose inside is given.
package enum BER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }
    static func set(_ parts: [[UInt8]]) -> [UInt8] { value(0x31, parts.flatMap { $0 }) }
    static func octetString(_ octets: [UInt8]) -> [UInt8] { value(0x04, octets) }
    static func utf8String(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }
    static func ia5String(_ text: String) -> [UInt8] { value(0x16, Array(text.utf8)) }
    static func context(_ number: UInt8, _ inside: [UInt8]) -> [UInt8] { value(0xA0 | number, inside) }
    static let null: [UInt8] = [0x05, 0x00]

    static func integer(_ number: Int64) -> [UInt8] {
        var octets = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        while octets.count > 1, octets[0] == (octets[1] & 0x80 == 0 ? 0x00 : 0xFF) { octets.removeFirst() }
        return value(0x02, octets)
    }

    /// A whole number of any size, which is not negative, from its octets.
    static func unsigned(_ octets: [UInt8]) -> [UInt8] {
        let digits = Array(octets.drop { $0 == 0 })
        return value(0x02, digits.first.map { $0 < 0x80 } == true ? digits : [0] + digits)
    }

    static func identifier(_ contents: [UInt8]) -> [UInt8] { value(0x06, contents) }

    /// A value under any tag, in the definite form.
    package static func value(_ tag: UInt8, _ inside: [UInt8]) -> [UInt8] {
        [tag] + length(inside.count) + inside
    }

    /// The indefinite form, whose end is marked and not counted.
    static func indefinite(_ tag: UInt8, _ inside: [UInt8]) -> [UInt8] { [tag, 0x80] + inside + [0, 0] }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        let octets = withUnsafeBytes(of: count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(octets.count)] + octets
    }
}

extension [UInt8] {
    /// The same with another last byte.
    package var spoiled: [UInt8] { dropLast() + suffix(1).map { $0 ^ 1 } }
}
