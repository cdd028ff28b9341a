/// One pass over a text in the plain form, as `PlainJSON` has it; everything else ends it.
struct PlainScan {
    /// Fewer levels than `JSONDecoder` reads.
    private static let maximumDepth = 16
    /// More than any object of ours has: each name is compared with those before it.
    static let maximumNames = 64
    /// A value takes 40 bytes here; a text of ours has fewer than this.
    static let maximumValues = 65_536
    /// So many digits always fit 64 bits.
    private static let maximumDigits = 18
    /// So many digits every `Double` keeps.
    private static let maximumFractionDigits = 15
    private static let quote = UInt8(ascii: "\"")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var isASCII = true
    private(set) var values: [PlainValue] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        values.reserveCapacity(min(bytes.count / 12 + 4, Self.maximumValues))
    }

    /// Whether the whole text is plain.
    mutating func text() -> Bool {
        guard value(depth: 0), offset == bytes.count else { return false }
        return isASCII || String(validating: bytes, as: UTF8.self) != nil
    }

    /// The next byte; 0, which no plain text holds, at the end.
    private var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func take(_ character: UnicodeScalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { offset += 1 }
    }

    private mutating func value(depth: Int) -> Bool {
        guard values.count < Self.maximumValues else { return false }
        skipSpace()
        defer { skipSpace() }
        switch next {
        case UInt8(ascii: "{"): return container(.object, "}", depth)
        case UInt8(ascii: "["): return container(.array, "]", depth)
        case Self.quote: return string()
        case UInt8(ascii: "t"): return word("true", .true)
        case UInt8(ascii: "f"): return word("false", .false)
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func container(_ kind: PlainValue.Kind, _ end: UnicodeScalar, _ depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        offset += 1
        let index = values.count
        values.append(PlainValue(kind: kind, expected: index + 1))
        skipSpace()
        var names = SeenNames()
        while !take(end) {
            if values.count > index + 1 {
                guard take(",") else { return false }
                skipSpace()
            }
            if kind == .object { guard name(in: index, &names) else { return false } }
            guard value(depth: depth + 1) else { return false }
        }
        values[index].next = values.count
        return true
    }

    /// A name that its object has once.
    private mutating func name(in object: Int, _ names: inout SeenNames) -> Bool {
        let index = values.count
        guard names.count < Self.maximumNames, string() else { return false }
        let range = values[index].range
        guard bytes[range].allSatisfy({ $0 < 0x80 }) else { return false }
        if names.insert(bytes[range]) {
            var other = object + 1
            while other < index {
                if bytes[values[other].range].elementsEqual(bytes[range]) { return false }
                other = values[other + 1].next
            }
        }
        skipSpace()
        guard take(":") else { return false }
        return true
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        let start = offset
        let run = PlainRun(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]))
        offset += run.count
        isASCII = isASCII && run.isASCII
        values.append(PlainValue(kind: .text, range: start..<offset, next: values.count + 1))
        return take("\"")
    }

    private mutating func word(_ word: StaticString, _ kind: PlainValue.Kind) -> Bool {
        let length = word.utf8CodeUnitCount
        guard bytes.count - offset >= length else { return false }
        for index in 0..<length where bytes[offset + index] != word.utf8Start[index] { return false }
        offset += length
        values.append(PlainValue(kind: kind, next: values.count + 1))
        return true
    }

    /// A number as our encoder writes it, so neither `-0` nor `01` nor `1e3`.
    private mutating func number() -> Bool {
        let start = offset
        let isNegative = take("-")
        let first = offset
        while Self.digits.contains(next) { offset += 1 }
        let count = offset - first
        guard (1...Self.maximumDigits).contains(count) else { return false }
        let hasPoint = next == UInt8(ascii: ".")
        if bytes[first] == UInt8(ascii: "0"), count > 1 || isNegative && !hasPoint { return false }
        var kind = PlainValue.Kind.whole
        if take(".") {
            kind = .fraction
            let point = offset
            while Self.digits.contains(next) { offset += 1 }
            guard offset > point, count + offset - point <= Self.maximumFractionDigits else { return false }
        }
        values.append(PlainValue(kind: kind, range: start..<offset, next: values.count + 1))
        return true
    }
}

/// Names of one object, by a hash of 64 values.
private struct SeenNames {
    private(set) var count = 0
    private var bits: UInt64 = 0

    /// Whether a name like this was perhaps there before.
    mutating func insert(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let hash = name.reduce(into: UInt8(truncatingIfNeeded: name.count)) { $0 = $0 &* 31 &+ $1 }
        let bit: UInt64 = 1 << UInt64(hash & 63)
        defer {
            bits |= bit
            count += 1
        }
        return bits & bit != 0
    }
}
