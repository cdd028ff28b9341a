/// Any JSON value, kept as it came.
package enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Decodes whatever value stands there.
    ///
    /// A kind is tried by its outside only: what is wrong within an object is not tried again as anything else, or
    /// a fault deep inside would be met once more at every level above it. The commoner kinds go first, because
    /// each miss costs an error.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = Self.attempt({ try value.decode(String.self) }) {
            self = .string(text)
        } else if let members = Self.attempt({ try decoder.container(keyedBy: MemberName.self) }) {
            self = .object(try Self.members(of: members))
        } else if let integer = Self.attempt({ try value.decode(Int64.self) }) {
            self = .integer(integer)
        } else if let elements = Self.attempt({ try decoder.unkeyedContainer() }) {
            self = .array(try Self.elements(of: elements))
        } else if let flag = Self.attempt({ try value.decode(Bool.self) }) {
            self = .bool(flag)
        } else if let number = Self.attempt({ try value.decode(Double.self) }) {
            self = .number(number)
        } else {
            throw DecodingError.typeMismatch(
                Double.self,
                .init(codingPath: decoder.codingPath, debugDescription: "no value that can be represented")
            )
        }
    }

    private static func members(
        of container: KeyedDecodingContainer<MemberName>
    ) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for name in container.allKeys {
            members[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
        }
        return members
    }

    private static func elements(of container: any UnkeyedDecodingContainer) throws -> [JSONValue] {
        var container = container
        var elements: [JSONValue] = []
        while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
        return elements
    }

    /// Any name that a member may have.
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do { return try body() } catch { return nil }
    }

    /// Encodes the value as it came.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
