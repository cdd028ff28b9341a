/// Overloads that synthesized coding prefers because they are more specific. They code identifiers,
/// timestamps and environments without a container each: every message has many, and containers cost more
/// than values.
extension KeyedEncodingContainer {
    package mutating func encode<Identifier: TextIdentifier>(_ value: Identifier, forKey key: Key) throws {
        try encode(value.rawValue, forKey: key)
    }

    package mutating func encodeIfPresent<Identifier: TextIdentifier>(
        _ value: Identifier?,
        forKey key: Key
    ) throws {
        if let value { try encode(value.rawValue, forKey: key) }
    }

    package mutating func encode(_ value: Timestamp, forKey key: Key) throws {
        try encode(value.milliseconds, forKey: key)
    }

    package mutating func encodeIfPresent(_ value: Timestamp?, forKey key: Key) throws {
        if let value { try encode(value.milliseconds, forKey: key) }
    }

    package mutating func encode(_ value: Environment, forKey key: Key) throws {
        try encode(value.rawValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    package func decode<Identifier: TextIdentifier>(_: Identifier.Type, forKey key: Key) throws -> Identifier
    {
        let text = try decode(String.self, forKey: key)
        guard let identifier = Identifier(rawValue: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "not a valid \(Identifier.self)"
            )
        }
        return identifier
    }

    package func decodeIfPresent<Identifier: TextIdentifier>(
        _ type: Identifier.Type,
        forKey key: Key
    ) throws -> Identifier? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key)
    }

    package func decode(_: Timestamp.Type, forKey key: Key) throws -> Timestamp {
        Timestamp(milliseconds: try decode(Int64.self, forKey: key))
    }

    package func decodeIfPresent(_: Timestamp.Type, forKey key: Key) throws -> Timestamp? {
        try decodeIfPresent(Int64.self, forKey: key).map(Timestamp.init(milliseconds:))
    }

    package func decode(_: Environment.Type, forKey key: Key) throws -> Environment {
        Environment(rawValue: try decode(String.self, forKey: key))
    }
}
