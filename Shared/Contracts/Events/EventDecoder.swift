import FoundationEssentials

/// Decodes JSON as `JSONDecoder` does, several times as fast when the text has the form that our own encoder writes.
///
/// A type that is directly coded reads its own form by itself. The general way reads every type, if the text is plain
/// (`PlainJSON`). Every other text, and every text that a type refuses, goes to `JSONDecoder`: it alone decides what
/// is refused, and with which words.
package struct EventDecoder: Sendable {
    private let userInfo: [CodingUserInfoKey: any Sendable]

    package init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

    /// The value of a text.
    ///
    /// - Throws: as `JSONDecoder`.
    package func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        ConversionCounts.countDecoding()
        if let value = bytes.withUnsafeBufferPointer({ Self.direct(type, from: $0) }) { return value }
        return try general(type, from: bytes)
    }

    /// The value of a text.
    ///
    /// - Throws: as `JSONDecoder`.
    package func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        ConversionCounts.countDecoding()
        if let value = text.withBytes({ Self.direct(type, from: $0) }) { return value }
        return try general(type, from: Array(text.utf8))
    }

    /// What `read` makes of an event in the form in which `EventEncoder` directly writes it; nil for every other text.
    package func event<Message>(
        from bytes: [UInt8],
        _ read: (EventEnvelope, inout JSONReader) -> Message?
    ) -> Message? {
        let message = bytes.withUnsafeBufferPointer { utf8 in
            JSONReader.value(of: utf8) { json throws(NotDirect) in
                guard let message = read(try EventEnvelope(from: &json), &json) else { throw NotDirect() }
                return message
            }
        }
        if message != nil { ConversionCounts.countDecoding() }
        return message
    }

    /// The value of a text in the form in which it is directly written; nil for every other text and type.
    package static func direct<Value: Decodable>(
        _ type: Value.Type,
        from utf8: UnsafeBufferPointer<UInt8>
    ) -> Value? {
        guard let type = type as? any DirectlyCoded.Type else { return nil }
        return directly(type, utf8) as? Value
    }

    private static func directly<Value: DirectlyCoded>(
        _ type: Value.Type,
        _ utf8: UnsafeBufferPointer<UInt8>
    ) -> Value? {
        JSONReader.value(of: utf8) { json throws(NotDirect) in try type.init(from: &json) }
    }

    /// The value of a text, in the general way.
    ///
    /// - Throws: as `JSONDecoder`.
    package func general<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        if let value = plain(type, from: bytes) { return value }
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        return try decoder.decode(type, from: Data(bytes))
    }

    /// The value of a text in the plain form; nil for every other text, and when the type refuses the text.
    package func plain<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
        PlainJSON.read(type, from: bytes, userInfo)
    }
}
