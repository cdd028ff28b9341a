/// Encodes JSON in one pass, without the tree of boxed values that `JSONEncoder` builds and sorts.
///
/// The same value always has the same bytes: members keep their encoding order, dictionaries are sorted. On a
/// purchase's events, `JSONEncoder` cost more than the database. A nested container ends when its parent goes on.
package struct EventEncoder: Sendable {
    package init() {}

    /// The JSON of a value.
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        ConversionCounts.countEncoding()
        return try JSONBytes().encode(value)
    }
}

private final class JSONBytes {
    /// Enough for most events.
    private static let usualBytes = 1_536

    fileprivate var bytes: [UInt8] = []

    func encode(_ value: some Encodable) throws -> [UInt8] {
        bytes.reserveCapacity(Self.usualBytes)
        try write(value, path: [])
        return bytes
    }

    fileprivate func write(_ value: some Encodable, path: [any CodingKey]) throws {
        switch value {
        case let text as String: write(text)
        case let number as Int64: write(digits: number)
        case let number as Int: write(digits: number)
        case let flag as Bool: write(literal: flag ? "true" : "false")
        case let value as any SelfWriting: try value.write(to: self, path: path)
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
            write(literal: byte < 0x10 ? "\\u000" : "\\u00")
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        }
    }
}

private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let comma = UInt8(ascii: ",")

/// A value that needs no container.
private protocol SelfWriting {
    func write(to json: JSONBytes, path: [any CodingKey]) throws
}

extension SelfWriting where Self: BinaryInteger & CustomStringConvertible {
    fileprivate func write(to json: JSONBytes, path: [any CodingKey]) { json.write(digits: self) }
}

extension Int8: SelfWriting {}
extension Int16: SelfWriting {}
extension Int32: SelfWriting {}
extension UInt: SelfWriting {}
extension UInt8: SelfWriting {}
extension UInt16: SelfWriting {}
extension UInt32: SelfWriting {}
extension UInt64: SelfWriting {}

extension Double: SelfWriting {
    fileprivate func write(to json: JSONBytes, path: [any CodingKey]) throws {
        guard isFinite else {
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: path, debugDescription: "not a JSON number")
            )
        }
        let isWhole = self == rounded() && abs(self) < 1e15
        json.bytes.append(contentsOf: isWhole ? Int64(self).description.utf8 : description.utf8)
    }
}

extension Float: SelfWriting {
    fileprivate func write(to json: JSONBytes, path: [any CodingKey]) throws {
        try Double(self).write(to: json, path: path)
    }
}

/// A dictionary whose keys are member names.
extension Dictionary: SelfWriting where Key == String, Value: Encodable {
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
    private var isFirst = true
    private var nested: Scope?

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
        nested?.close()
        if let closing { json.bytes.append(closing) }
    }

    func separate() {
        nested?.close()
        nested = nil
        if !isFirst { json.bytes.append(comma) }
        isFirst = false
    }

    /// The scope of a value inside this one, which is complete when this one goes on.
    func nest() -> Scope {
        let scope = Scope(json, path: codingPath)
        nested = scope
        return scope
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

    // Of their own, because most members are one of these; the generic way asks for the type.

    func encode(_ value: String, forKey key: Key) {
        name(key)
        scope.json.write(value)
    }

    func encode(_ value: Int64, forKey key: Key) {
        name(key)
        scope.json.write(digits: value)
    }

    func encode(_ value: Int, forKey key: Key) {
        name(key)
        scope.json.write(digits: value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        name(key)
        try scope.json.write(value, path: scope.codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        scope.separate()
        scope.json.write("super")
        scope.json.bytes.append(UInt8(ascii: ":"))
        return scope.nest()
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        name(key)
        return scope.nest()
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

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder {
        scope.separate()
        return scope.nest()
    }
}

private struct Single: SingleValueEncodingContainer {
    let scope: Scope
    var codingPath: [any CodingKey] { scope.codingPath }

    func encodeNil() { scope.json.write(literal: "null") }

    func encode(_ value: String) { scope.json.write(value) }

    func encode(_ value: some Encodable) throws { try scope.json.write(value, path: scope.codingPath) }
}
