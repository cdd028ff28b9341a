/// JSON text that is being written; whoever makes it frees it.
///
/// The same value always has the same bytes: members keep their order, dictionaries are sorted.
package struct JSONWriter {
    /// Enough for most texts.
    private static let usualBytes = 2_048
    /// The digits of the longest whole number, and its sign.
    private static let longestNumber = 20

    private var start = UnsafeMutablePointer<UInt8>.allocate(capacity: usualBytes)
    private var capacity = usualBytes
    /// The bytes so far.
    package private(set) var count = 0

    package init() {}

    /// The text so far.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Gives its memory back; the last that is asked of it.
    package func free() { start.deallocate() }

    /// Forgets what was written after the first `count` bytes.
    package mutating func removeAll(after count: Int) { self.count = count }

    @inline(__always)
    private mutating func reserve(_ bytes: Int) {
        if capacity - count < bytes { grow(bytes) }
    }

    private mutating func grow(_ bytes: Int) {
        capacity = max(capacity * 2, count + bytes)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    // MARK: What every text is made of

    @inline(__always)
    mutating func write(byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func write(plain bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).update(from: first, count: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func write(literal: StaticString) {
        write(plain: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// A text in quotes.
    package mutating func write(_ text: String) {
        text.withBytes { utf8 in
            let count = utf8.count
            guard let first = utf8.baseAddress, PlainRun(UnsafeRawBufferPointer(utf8)).count == count else {
                return escape(utf8)
            }
            reserve(count + 2)
            let place = start + self.count
            place[0] = quote
            (place + 1).update(from: first, count: count)
            place[count + 1] = quote
            self.count += count + 2
        }
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        write(byte: quote)
        var first = 0
        for index in utf8.indices
        where utf8[index] < 0x20 || utf8[index] == quote || utf8[index] == backslash {
            write(plain: UnsafeBufferPointer(rebasing: utf8[first..<index]))
            escape(utf8[index])
            first = index + 1
        }
        write(plain: UnsafeBufferPointer(rebasing: utf8[first...]))
        write(byte: quote)
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case quote: write(literal: "\\\"")
        case backslash: write(literal: "\\\\")
        case 0x0A: write(literal: "\\n")
        case 0x0D: write(literal: "\\r")
        case 0x09: write(literal: "\\t")
        default:
            write(literal: byte < 0x10 ? "\\u000" : "\\u00")
            write(plain: String(byte, radix: 16))
        }
    }

    /// A text as it is.
    mutating func write(plain text: String) { text.withBytes { write(plain: $0) } }

    /// A whole number.
    package mutating func write(_ number: Int64) {
        reserve(Self.longestNumber)
        if number < 0 { write(byte: UInt8(ascii: "-")) }
        let first = count
        var rest = number.magnitude
        repeat {
            start[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            count += 1
            rest /= 10
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(start: start + first, count: count - first)
        digits.reverse()
    }

    mutating func write(_ flag: Bool) { write(literal: flag ? "true" : "false") }

    /// The number; whether it is one of JSON's.
    mutating func write(_ number: Double) -> Bool {
        guard number.isFinite else { return false }
        let isWhole = number == number.rounded() && abs(number) < 1e15
        if isWhole { write(Int64(number)) } else { write(plain: number.description) }
        return true
    }

    /// The name of an object's next member, which has no character to escape.
    @inline(__always)
    package mutating func write(name: StaticString) {
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        if start[count - 1] != UInt8(ascii: "{") {
            start[count] = comma
            count += 1
        }
        let place = start + count
        place[0] = quote
        (place + 1).update(from: name.utf8Start, count: length)
        place[length + 1] = quote
        place[length + 2] = UInt8(ascii: ":")
        count += length + 3
    }
}

private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let comma = UInt8(ascii: ",")

extension JSONWriter: DirectCoder {
    /// Writes `{`.
    package mutating func open() { write(byte: UInt8(ascii: "{")) }

    /// Writes `}`.
    package mutating func close() { write(byte: UInt8(ascii: "}")) }

    /// Writes a member.
    @inline(__always) package mutating func member<Value: DirectlyCoded>(
        _ name: StaticString,
        _ value: Value?
    ) throws(NotDirect) -> Value {
        guard let value else { throw NotDirect() }
        write(name: name)
        try value.write(to: &self)
        return value
    }

    /// Writes a member, if there is a value.
    @inline(__always) package mutating func optional<Value: DirectlyCoded>(
        _ name: StaticString,
        _ value: Value?
    ) throws(NotDirect) -> Value? {
        guard let value else { return nil }
        return try member(name, value)
    }

    /// Writes `[…]`.
    package mutating func array<Value: DirectlyCoded>(_ values: [Value]?) throws(NotDirect) -> [Value] {
        guard let values else { throw NotDirect() }
        write(byte: UInt8(ascii: "["))
        for index in values.indices {
            if index > 0 { write(byte: comma) }
            try values[index].write(to: &self)
        }
        write(byte: UInt8(ascii: "]"))
        return values
    }

    /// Writes an object with sorted names.
    package mutating func dictionary<Value: DirectlyCoded>(
        _ members: [String: Value]?
    ) throws(NotDirect) -> [String: Value] {
        guard let members else { throw NotDirect() }
        open()
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { write(byte: comma) }
            write(member.key)
            write(byte: UInt8(ascii: ":"))
            try member.value.write(to: &self)
        }
        close()
        return members
    }

    /// Writes a text in quotes.
    @inline(__always) package mutating func text(_ text: String?) throws(NotDirect) -> String {
        guard let text else { throw NotDirect() }
        write(text)
        return text
    }

    /// Writes a whole number.
    @inline(__always) package mutating func integer(_ number: Int64?) throws(NotDirect) -> Int64 {
        guard let number else { throw NotDirect() }
        write(number)
        return number
    }

    /// Writes `true` or `false`.
    @inline(__always) package mutating func flag(_ flag: Bool?) throws(NotDirect) -> Bool {
        guard let flag else { throw NotDirect() }
        write(flag)
        return flag
    }

    /// Writes any value but a number that JSON does not have.
    package mutating func value(_ value: JSONValue?) throws(NotDirect) -> JSONValue {
        guard let value else { throw NotDirect() }
        switch value {
        case .null: write(literal: "null")
        case .bool(let flag): write(flag)
        case .integer(let integer): write(integer)
        case .number(let number): guard write(number) else { throw NotDirect() }
        case .string(let text): write(text)
        case .array(let values): _ = try array(values)
        case .object(let members): _ = try dictionary(members)
        }
        return value
    }
}
