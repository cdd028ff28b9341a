/// The general way, without the tree of boxed values that `JSONEncoder` builds and sorts.
///
/// A nested container ends when its parent goes on.
extension JSONWriter {
    /// The JSON of any value that `Codable` can tell.
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    package static func general(_ value: some Encodable) throws -> [UInt8] {
        let bytes = JSONBytes()
        try bytes.write(value, path: [])
        return bytes.json.bytes
    }

    /// Writes a value that has no direct form.
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    package mutating func write(general value: some Encodable) throws {
        try Self.general(value).withUnsafeBufferPointer { write(plain: $0) }
    }
}

/// The text of which all scopes write their part.
private final class JSONBytes {
    var json = JSONWriter()

    deinit { json.free() }

    func write(_ value: some Encodable, path: [any CodingKey]) throws {
        switch value {
        case let text as String: json.write(text)
        case let number as Int64: json.write(number)
        case let number as Int: json.write(Int64(number))
        case let flag as Bool: json.write(flag)
        case let value as any SelfWriting: try value.write(to: self, path: path)
        default:
            let scope = Scope(self, path: path)
            try value.encode(to: scope)
            scope.close()
        }
    }
}

private let comma = UInt8(ascii: ",")

/// A value that needs no container.
private protocol SelfWriting {
    func write(to bytes: JSONBytes, path: [any CodingKey]) throws
}

extension SelfWriting where Self: BinaryInteger & CustomStringConvertible {
    fileprivate func write(to bytes: JSONBytes, path: [any CodingKey]) {
        bytes.json.write(plain: description)
    }
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
    fileprivate func write(to bytes: JSONBytes, path: [any CodingKey]) throws {
        guard bytes.json.write(self) else {
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: path, debugDescription: "not a JSON number")
            )
        }
    }
}

extension Float: SelfWriting {
    fileprivate func write(to bytes: JSONBytes, path: [any CodingKey]) throws {
        try Double(self).write(to: bytes, path: path)
    }
}

/// A dictionary whose keys are member names.
extension Dictionary: SelfWriting where Key == String, Value: Encodable {
    fileprivate func write(to bytes: JSONBytes, path: [any CodingKey]) throws {
        bytes.json.write(byte: UInt8(ascii: "{"))
        for (index, member) in sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.json.write(byte: comma) }
            bytes.json.write(member.key)
            bytes.json.write(byte: UInt8(ascii: ":"))
            try bytes.write(member.value, path: path)
        }
        bytes.json.write(byte: UInt8(ascii: "}"))
    }
}

/// One value being written; knows what to close when it is complete.
private final class Scope: Encoder {
    let bytes: JSONBytes
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var closing: UInt8?
    private var isFirst = true
    private var nested: Scope?

    init(_ bytes: JSONBytes, path: [any CodingKey]) {
        self.bytes = bytes
        codingPath = path
    }

    func open(_ opening: UInt8, closing: UInt8) {
        guard self.closing == nil else { return }
        bytes.json.write(byte: opening)
        self.closing = closing
    }

    func close() {
        nested?.close()
        if let closing { bytes.json.write(byte: closing) }
    }

    func separate() {
        nested?.close()
        nested = nil
        if !isFirst { bytes.json.write(byte: comma) }
        isFirst = false
    }

    /// The scope of a value inside this one, which is complete when this one goes on.
    func nest() -> Scope {
        let scope = Scope(bytes, path: codingPath)
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
        scope.bytes.json.write(key.stringValue)
        scope.bytes.json.write(byte: UInt8(ascii: ":"))
    }

    func encodeNil(forKey key: Key) {
        name(key)
        scope.bytes.json.write(literal: "null")
    }

    // Of their own, because most members are one of these; the generic way asks for the type.

    func encode(_ value: String, forKey key: Key) {
        name(key)
        scope.bytes.json.write(value)
    }

    func encode(_ value: Int64, forKey key: Key) {
        name(key)
        scope.bytes.json.write(Int64(value))
    }

    func encode(_ value: Int, forKey key: Key) {
        name(key)
        scope.bytes.json.write(Int64(value))
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        name(key)
        try scope.bytes.write(value, path: scope.codingPath)
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
        scope.bytes.json.write("super")
        scope.bytes.json.write(byte: UInt8(ascii: ":"))
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
        scope.bytes.json.write(literal: "null")
        count += 1
    }

    mutating func encode(_ value: some Encodable) throws {
        scope.separate()
        try scope.bytes.write(value, path: scope.codingPath)
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

    func encodeNil() { scope.bytes.json.write(literal: "null") }

    func encode(_ value: String) { scope.bytes.json.write(value) }

    func encode(_ value: some Encodable) throws { try scope.bytes.write(value, path: scope.codingPath) }
}
