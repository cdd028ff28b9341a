/// Reads the bytes that `JSONWriter` writes, in their order and without a look back; any other byte ends it.
package struct JSONReader {
    /// So many digits always fit 64 bits.
    private static let mostDigits = 18
    /// So many digits every `Double` keeps.
    private static let mostFractionDigits = 15
    /// Levels of a value that may be any; fewer than the general way takes.
    private static let mostLevels = 8
    private static let quote = UInt8(ascii: "\"")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var levels = 0

    private init(_ first: UnsafePointer<UInt8>, count: Int) {
        position = first
        end = first + count
    }

    /// What `read` makes of a whole text; nil when the text needs the general way.
    package static func value<Value>(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ read: (inout JSONReader) throws(NotDirect) -> Value
    ) -> Value? {
        guard let first = bytes.baseAddress else { return nil }
        var json = JSONReader(first, count: bytes.count)
        do throws(NotDirect) {
            let value = try read(&json)
            return json.position == json.end ? value : nil
        } catch {
            return nil
        }
    }

    /// The next byte; 0, which no text holds, at the end.
    private var next: UInt8 { position < end ? position.pointee : 0 }

    private mutating func isNext(_ character: UnicodeScalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func take(_ character: UnicodeScalar) throws(NotDirect) {
        guard isNext(character) else { throw NotDirect() }
    }

    /// Goes beyond the name of a member if it is next; stays where it is if not.
    @inline(__always)
    private mutating func isNext(name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        let isFirst = position[-1] == UInt8(ascii: "{")
        var place = position
        if !isFirst {
            guard place < end, place.pointee == UInt8(ascii: ",") else { return false }
            place += 1
        }
        guard end - place > count + 3, place[0] == Self.quote, place[count + 1] == Self.quote,
            place[count + 2] == UInt8(ascii: ":")
        else { return false }
        for index in 0..<count where place[index + 1] != name.utf8Start[index] { return false }
        position = place + count + 3
        return true
    }

    /// Goes beyond a literal.
    private mutating func take(literal: StaticString) throws(NotDirect) {
        let count = literal.utf8CodeUnitCount
        guard end - position >= count else { throw NotDirect() }
        for index in 0..<count where position[index] != literal.utf8Start[index] { throw NotDirect() }
        position += count
    }

    /// Runs over the elements of an array or the members of an object.
    private mutating func each(
        until end: UnicodeScalar,
        _ read: (inout JSONReader) throws(NotDirect) -> Void
    ) throws(NotDirect) {
        guard levels < Self.mostLevels else { throw NotDirect() }
        levels += 1
        defer { levels -= 1 }
        if isNext(end) { return }
        repeat { try read(&self) } while isNext(",")
        try take(end)
    }
}

extension JSONReader: DirectCoder {
    /// Goes beyond `{`.
    package mutating func open() throws(NotDirect) { try take("{") }

    /// Goes beyond `}`.
    package mutating func close() throws(NotDirect) { try take("}") }

    /// Reads a member.
    package mutating func member<Value: DirectlyCoded>(
        _ name: StaticString,
        _: Value? = nil
    ) throws(NotDirect) -> Value {
        guard isNext(name: name) else { throw NotDirect() }
        return try Value(from: &self)
    }

    /// Reads a member, if it is next.
    package mutating func optional<Value: DirectlyCoded>(
        _ name: StaticString,
        _: Value? = nil
    ) throws(NotDirect) -> Value? {
        isNext(name: name) ? try Value(from: &self) : nil
    }

    /// Reads an array.
    package mutating func array<Value: DirectlyCoded>(_: [Value]?) throws(NotDirect) -> [Value] {
        var values: [Value] = []
        try take("[")
        try each(until: "]") { json throws(NotDirect) in values.append(try Value(from: &json)) }
        return values
    }

    /// Reads an object that has each name once.
    package mutating func dictionary<Value: DirectlyCoded>(
        _: [String: Value]?
    ) throws(NotDirect) -> [String: Value] {
        var members: [String: Value] = [:]
        try take("{")
        try each(until: "}") { json throws(NotDirect) in
            let name = try json.text(nil)
            try json.take(":")
            guard members.updateValue(try Value(from: &json), forKey: name) == nil else { throw NotDirect() }
        }
        return members
    }

    /// Reads a text without escapes.
    package mutating func text(_: String?) throws(NotDirect) -> String {
        try take("\"")
        let run = PlainRun(UnsafeRawBufferPointer(start: position, count: end - position))
        let utf8 = UnsafeBufferPointer(start: position, count: run.count)
        position += run.count
        try take("\"")
        if run.isASCII { return String(decoding: utf8, as: UTF8.self) }
        guard let text = String(validating: utf8, as: UTF8.self) else { throw NotDirect() }
        return text
    }

    /// Reads a whole number, so neither `-0` nor `01`.
    package mutating func integer(_: Int64?) throws(NotDirect) -> Int64 {
        let isNegative = isNext("-")
        let first = position
        var size: Int64 = 0
        while Self.digits.contains(next), position - first < Self.mostDigits {
            size = size &* 10 &+ Int64(next &- UInt8(ascii: "0"))
            position += 1
        }
        let isPlain =
            first < position && (first.pointee != UInt8(ascii: "0") || position == first + 1 && !isNegative)
        guard isPlain else { throw NotDirect() }
        return isNegative ? -size : size
    }

    /// Reads `true` or `false`.
    package mutating func flag(_: Bool?) throws(NotDirect) -> Bool {
        let isTrue = next == UInt8(ascii: "t")
        try take(literal: isTrue ? "true" : "false")
        return isTrue
    }

    /// Reads any value.
    package mutating func value(_: JSONValue?) throws(NotDirect) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return .object(try dictionary(nil))
        case UInt8(ascii: "["): return .array(try array(nil))
        case Self.quote: return .string(try text(nil))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try flag(nil))
        case UInt8(ascii: "n"):
            try take(literal: "null")
            return .null
        default: return try number()
        }
    }

    private mutating func number() throws(NotDirect) -> JSONValue {
        let first = position
        let isNegative = next == UInt8(ascii: "-")
        // A fraction between -1 and 0 begins with `-0`.
        if isNegative, position + 1 < end, position[1] == UInt8(ascii: "0") {
            position += 2
        } else {
            let whole = try integer(nil)
            guard next == UInt8(ascii: ".") else { return .integer(whole) }
        }
        let point = position
        try take(".")
        while Self.digits.contains(next) { position += 1 }
        // The general way takes 2.0 for a whole number.
        let isShort = position - first - (isNegative ? 2 : 1) <= Self.mostFractionDigits
        let text = UnsafeBufferPointer(start: first, count: position - first)
        guard position > point + 1, isShort, let number = Double(String(decoding: text, as: UTF8.self)),
            number != number.rounded()
        else { throw NotDirect() }
        return .number(number)
    }
}
