import FoundationEssentials

/// A text in the plain form, and all its values in their order.
///
/// That form has no escapes, no exponents, no number of more than 18 digits, no name twice in an object, and few
/// levels.
package final class PlainJSON {
    /// The text is not plain, or a value is not what the type asks for.
    struct Refusal: Error {}

    let bytes: [UInt8]
    let userInfo: [CodingUserInfoKey: Any]
    private var values: [PlainValue]
    /// Whether a type was asked for that only `JSONDecoder` makes, even when the asking type ignored the refusal.
    private var isBeyond = false

    private init(_ bytes: [UInt8], _ userInfo: [CodingUserInfoKey: any Sendable]) throws(Refusal) {
        self.bytes = bytes
        self.userInfo = userInfo
        values = try bytes.withUnsafeBufferPointer { utf8 throws(Refusal) in
            var scan = PlainScan(utf8)
            guard scan.text() else { throw Refusal() }
            return scan.values
        }
    }

    /// The value of a text; nil for a text in any other form, and when the type refuses the text.
    package static func read<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        _ userInfo: [CodingUserInfoKey: any Sendable]
    ) -> Value? {
        do { return try PlainJSON(bytes, userInfo).decode(type) } catch { return nil }
    }

    private func decode<Value: Decodable>(_ type: Value.Type) throws(Refusal) -> Value {
        do {
            let value = try value(type, at: 0)
            guard !isBeyond else { throw Refusal() }
            return value
        } catch {
            throw Refusal()
        }
    }

    // MARK: One value

    func kind(at index: Int) -> PlainValue.Kind { values[index].kind }

    func text(at index: Int) throws(Refusal) -> String {
        let value = values[index]
        guard value.kind == .text else { throw Refusal() }
        return bytes.withUnsafeBufferPointer { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[value.range]), as: UTF8.self)
        }
    }

    func flag(at index: Int) throws(Refusal) -> Bool {
        switch values[index].kind {
        case .true: return true
        case .false: return false
        default: throw Refusal()
        }
    }

    func number<Number: FixedWidthInteger>(at index: Int) throws(Refusal) -> Number {
        let value = values[index]
        // JSONDecoder takes 2.0 for a whole number.
        let isWholeFraction = value.kind == .fraction && fraction(value).map { $0 == $0.rounded() } ?? true
        guard !isWholeFraction else { throw beyond() }
        guard value.kind == .whole else { throw Refusal() }
        let number = bytes.withUnsafeBufferPointer { bytes in
            let isNegative = bytes[value.range.lowerBound] == UInt8(ascii: "-")
            let digits = bytes[value.range].dropFirst(isNegative ? 1 : 0)
            let size = digits.reduce(into: Int64(0)) { $0 = $0 &* 10 &+ Int64($1 &- UInt8(ascii: "0")) }
            return isNegative ? -size : size
        }
        guard let number = Number(exactly: number) else { throw Refusal() }
        return number
    }

    func double(at index: Int) throws(Refusal) -> Double {
        guard values[index].kind == .fraction else { return Double(try number(at: index) as Int64) }
        guard let number = fraction(values[index]) else { throw Refusal() }
        return number
    }

    private func fraction(_ value: PlainValue) -> Double? {
        Double(String(decoding: bytes[value.range], as: UTF8.self))
    }

    func value<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        // These are read in ways of JSONDecoder's own.
        if type == Data.self || type == Date.self || type == URL.self || type == Decimal.self {
            throw beyond()
        }
        return try Value(from: PlainDecoder(json: self, index: index))
    }

    // MARK: Containers

    /// The index of a member's value, mostly that of the member after the one that was asked for before.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in
                let (first, expected, end) = (object + 1, values[object].expected, values[object].next)
                guard
                    let found = Self.find(name, expected..<end, values, bytes)
                        ?? Self.find(name, first..<expected, values, bytes)
                else { return nil }
                values[object].expected = values[found].next
                return found
            }
        }
    }

    private static func find(
        _ name: UnsafeBufferPointer<UInt8>,
        _ members: Range<Int>,
        _ values: [PlainValue],
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        var index = members.lowerBound
        while index < members.upperBound {
            if values[index].range.count == name.count, bytes[values[index].range].elementsEqual(name) {
                return index + 1
            }
            index = values[index + 1].next
        }
        return nil
    }

    func names(of object: Int) throws(Refusal) -> [String] {
        var names: [String] = []
        var index = object + 1
        while index < values[object].next {
            names.append(try text(at: index))
            index = values[index + 1].next
        }
        return names
    }

    func elements(of array: Int) -> [Int] {
        var elements: [Int] = []
        var index = array + 1
        while index < values[array].next {
            elements.append(index)
            index = values[index].next
        }
        return elements
    }

    func beyond() -> Refusal {
        isBeyond = true
        return Refusal()
    }
}

// MARK: - Codable

private struct PlainDecoder: Decoder {
    let json: PlainJSON
    let index: Int

    /// Only errors have one, and they are `JSONDecoder`'s.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { json.userInfo }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard json.kind(at: index) == .object else { throw PlainJSON.Refusal() }
        return KeyedDecodingContainer(PlainMembers(json: json, object: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard json.kind(at: index) == .array else { throw PlainJSON.Refusal() }
        return PlainElements(json: json, elements: json.elements(of: index))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension PlainDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { json.kind(at: index) == .null }

    func decode(_: String.Type) throws -> String { try json.text(at: index) }

    func decode(_: Bool.Type) throws -> Bool { try json.flag(at: index) }

    func decode(_: Double.Type) throws -> Double { try json.double(at: index) }

    func decode(_: Float.Type) throws -> Float { throw json.beyond() }

    func decode<Number: FixedWidthInteger & Decodable>(_: Number.Type) throws -> Number {
        try json.number(at: index)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try json.value(type, at: index) }
}

private struct PlainMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let json: PlainJSON
    let object: Int

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        do { return try json.names(of: object).compactMap(Key.init(stringValue:)) } catch { return [] }
    }

    /// The index of a member that is there and not null.
    private func present(_ key: Key) -> Int? {
        json.member(key.stringValue, of: object).flatMap { json.kind(at: $0) == .null ? nil : $0 }
    }

    private func index(_ key: Key) throws -> Int {
        guard let index = json.member(key.stringValue, of: object) else { throw PlainJSON.Refusal() }
        return index
    }

    private func decoder(_ key: Key) throws -> PlainDecoder {
        PlainDecoder(json: json, index: try index(key))
    }

    func contains(_ key: Key) -> Bool { json.member(key.stringValue, of: object) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { json.kind(at: try index(key)) == .null }

    // Of their own, because most members are one of these; the generic way makes a container for each.

    func decode(_: String.Type, forKey key: Key) throws -> String { try json.text(at: index(key)) }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try json.flag(at: index(key)) }

    func decode(_: Int.Type, forKey key: Key) throws -> Int { try json.number(at: index(key)) }

    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try json.number(at: index(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try json.value(type, at: index(key))
    }

    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try json.text(at: $0) }
    }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try json.flag(at: $0) }
    }

    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try json.number(at: $0) }
    }

    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try json.number(at: $0) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try json.value(type, at: $0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw json.beyond() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw json.beyond() }
}

private struct PlainElements: UnkeyedDecodingContainer {
    let json: PlainJSON
    let elements: [Int]
    private(set) var currentIndex = 0

    init(json: PlainJSON, elements: [Int]) {
        self.json = json
        self.elements = elements
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Goes on only when `read` succeeds.
    private mutating func next<Value>(_ read: (PlainDecoder) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw PlainJSON.Refusal() }
        let value = try read(PlainDecoder(json: json, index: elements[currentIndex]))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw PlainJSON.Refusal() }
        guard json.kind(at: elements[currentIndex]) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { throw json.beyond() }
}
