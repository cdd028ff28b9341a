/// Encodes JSON in one pass, without the tree of boxed values that `JSONEncoder` builds and sorts.
///
/// The same value always has the same bytes: members keep their encoding order, dictionaries are sorted. On a
/// purchase's events, `JSONEncoder` cost more than the database. Nested and super containers are refused.
package struct EventEncoder: Sendable {
    package init() {}

    /// The JSON of a value.
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    package func encode(_ value: some Encodable) throws -> [UInt8] { try JSONBytes().encode(value) }
}

private final class JSONBytes {
    /// Enough for most events.
    private static let usualBytes = 1_536

    fileprivate var bytes: [UInt8] = []
    /// The error of a container that cannot throw, thrown when the value is complete.
    fileprivate var fault: EncodingError?

    func encode(_ value: some Encodable) throws -> [UInt8] {
        bytes.reserveCapacity(Self.usualBytes)
        try write(value, path: [])
        if let fault { throw fault }
        return bytes
    }

    fileprivate func write(_ value: some Encodable, path: [any CodingKey]) throws {
        switch value {
        case let text as String: write(text)
        case let number as Int64: write(digits: number)
        case let number as Int: write(digits: Int64(number))
        case let flag as Bool: write(literal: flag ? "true" : "false")
        case let dictionary as any KeyedByText: try dictionary.write(to: self, path: path)
        default:
            let scope = Scope(self, path: path)
            try value.encode(to: scope)
            scope.close()
        }
    }

    fileprivate func write(literal: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        )
    }

    fileprivate func write(digits number: some BinaryInteger & CustomStringConvertible) {
        bytes.append(contentsOf: number.description.utf8)
    }

    fileprivate func write(_ number: Double, path: [any CodingKey]) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number,
                .init(codingPath: path, debugDescription: "not a JSON number")
            )
        }
        let isWhole = number == number.rounded() && abs(number) < 1e15
        bytes.append(contentsOf: isWhole ? Int64(number).description.utf8 : number.description.utf8)
    }

    fileprivate func write(_ text: String) {
        var text = text
        bytes.append(quote)
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices
            where utf8[index] < 0x20 || utf8[index] == quote || utf8[index] == backslash {
                bytes.append(contentsOf: utf8[start..<index])
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(quote)
    }

    private func escape(_ byte: UInt8) {
        switch byte {
        case quote: write(literal: "\\\"")
        case backslash: write(literal: "\\\\")
        case 0x0A: write(literal: "\\n")
        case 0x0D: write(literal: "\\r")
        case 0x09: write(literal: "\\t")
        default:
            write(literal: "\\u00")
            bytes.append(Self.digit(byte >> 4))
            bytes.append(Self.digit(byte & 0x0F))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let comma = UInt8(ascii: ",")

/// A dictionary whose keys are member names.
private protocol KeyedByText {
    func write(to json: JSONBytes, path: [any CodingKey]) throws
}

extension Dictionary: KeyedByText where Key == String, Value: Encodable {
    fileprivate func write(to json: JSONBytes, path: [any CodingKey]) throws {
        json.bytes.append(UInt8(ascii: "{"))
        for (index, member) in sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { json.bytes.append(comma) }
            json.write(member.key)
            json.bytes.append(UInt8(ascii: ":"))
            try json.write(member.value, path: path)
        }
        json.bytes.append(UInt8(ascii: "}"))
    }
}

/// One value being written; knows what to close when it is complete.
private final class Scope: Encoder {
    let json: JSONBytes
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var closing: UInt8?
    var isFirst = true

    init(_ json: JSONBytes, path: [any CodingKey]) {
        self.json = json
        codingPath = path
    }

    func open(_ opening: UInt8, closing: UInt8) {
        guard self.closing == nil else { return }
        json.bytes.append(opening)
        self.closing = closing
    }

    func close() {
        if let closing { json.bytes.append(closing) }
    }

    func separate() {
        if !isFirst { json.bytes.append(comma) }
        isFirst = false
    }

    func refuse() {
        json.fault = .invalidValue(
            "nested container",
            .init(codingPath: codingPath, debugDescription: "nested containers are not written")
        )
    }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        open(UInt8(ascii: "{"), closing: UInt8(ascii: "}"))
        return KeyedEncodingContainer(Members<Key>(scope: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(UInt8(ascii: "["), closing: UInt8(ascii: "]"))
        return Elements(scope: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(scope: self) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let scope: Scope
    var codingPath: [any CodingKey] { scope.codingPath }

    private func name(_ key: Key) {
        scope.separate()
        scope.json.write(key.stringValue)
        scope.json.bytes.append(UInt8(ascii: ":"))
    }

    func encodeNil(forKey key: Key) {
        name(key)
        scope.json.write(literal: "null")
    }

    func encode(_ value: Bool, forKey key: Key) {
        name(key)
        scope.json.write(literal: value ? "true" : "false")
    }

    func encode(_ value: String, forKey key: Key) {
        name(key)
        scope.json.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        name(key)
        try scope.json.write(value, path: scope.codingPath)
    }

    func encode(_ value: Float, forKey key: Key) throws { try encode(Double(value), forKey: key) }
    func encode(_ value: Int, forKey key: Key) { number(value, key) }
    func encode(_ value: Int8, forKey key: Key) { number(value, key) }
    func encode(_ value: Int16, forKey key: Key) { number(value, key) }
    func encode(_ value: Int32, forKey key: Key) { number(value, key) }
    func encode(_ value: Int64, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt16, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt32, forKey key: Key) { number(value, key) }
    func encode(_ value: UInt64, forKey key: Key) { number(value, key) }

    private func number(_ value: some BinaryInteger & CustomStringConvertible, _ key: Key) {
        name(key)
        scope.json.write(digits: value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        name(key)
        try scope.json.write(value, path: scope.codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        scope.refuse()
        return KeyedEncodingContainer(Members<Nested>(scope: scope))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        scope.refuse()
        return Elements(scope: scope)
    }

    func superEncoder() -> any Encoder {
        scope.refuse()
        return scope
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        scope.refuse()
        return scope
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let scope: Scope
    private(set) var count = 0
    var codingPath: [any CodingKey] { scope.codingPath }

    init(scope: Scope) { self.scope = scope }

    mutating func encodeNil() {
        scope.separate()
        scope.json.write(literal: "null")
        count += 1
    }

    mutating func encode(_ value: some Encodable) throws {
        scope.separate()
        try scope.json.write(value, path: scope.codingPath)
        count += 1
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
        scope.refuse()
        return KeyedEncodingContainer(Members<Nested>(scope: scope))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        scope.refuse()
        return self
    }

    func superEncoder() -> any Encoder {
        scope.refuse()
        return scope
    }
}

private struct Single: SingleValueEncodingContainer {
    let scope: Scope
    var codingPath: [any CodingKey] { scope.codingPath }

    func encodeNil() { scope.json.write(literal: "null") }
    func encode(_ value: Bool) { scope.json.write(literal: value ? "true" : "false") }
    func encode(_ value: String) { scope.json.write(value) }
    func encode(_ value: Double) throws { try scope.json.write(value, path: scope.codingPath) }
    func encode(_ value: Float) throws { try encode(Double(value)) }
    func encode(_ value: Int) { scope.json.write(digits: value) }
    func encode(_ value: Int8) { scope.json.write(digits: value) }
    func encode(_ value: Int16) { scope.json.write(digits: value) }
    func encode(_ value: Int32) { scope.json.write(digits: value) }
    func encode(_ value: Int64) { scope.json.write(digits: value) }
    func encode(_ value: UInt) { scope.json.write(digits: value) }
    func encode(_ value: UInt8) { scope.json.write(digits: value) }
    func encode(_ value: UInt16) { scope.json.write(digits: value) }
    func encode(_ value: UInt32) { scope.json.write(digits: value) }
    func encode(_ value: UInt64) { scope.json.write(digits: value) }
    func encode(_ value: some Encodable) throws { try scope.json.write(value, path: scope.codingPath) }
}
