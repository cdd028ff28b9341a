/// Encodes JSON in one pass, in the direct way if a value has one.
///
/// The same value always has the same bytes: members keep their encoding order, dictionaries are sorted. On a
/// purchase's events, `JSONEncoder` cost more than the database.
package struct EventEncoder: Sendable {
    package init() {}

    /// The JSON of a value.
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        ConversionCounts.countEncoding()
        if let value = value as? any DirectlyCoded, let bytes = direct(value) { return bytes }
        return try general(value)
    }

    /// The JSON of an event.
    ///
    /// - Throws: `EncodingError`, or what its data throw.
    package func encode<Body>(_ event: Event<Body>) throws -> [UInt8] {
        ConversionCounts.countEncoding()
        var json = JSONWriter()
        defer { json.free() }
        try event.write(to: &json)
        return json.bytes
    }

    /// The JSON of a value, without containers; nil when it needs the general way.
    package func direct(_ value: some DirectlyCoded) -> [UInt8]? {
        var json = JSONWriter()
        defer { json.free() }
        do throws(NotDirect) { try value.write(to: &json) } catch { return nil }
        return json.bytes
    }

    /// The JSON of any value that `Codable` can tell.
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    package func general(_ value: some Encodable) throws -> [UInt8] {
        try JSONWriter.general(value)
    }
}
