/// Any JSON value, unchanged.
package enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Deepest nesting around a value, from the whole text on; Apple's in our events have ten levels.
    ///
    /// Each failed decoding attempt costs an error with its path, which grows with the square of the depth:
    /// 400 brackets took most of a second.
    private static let maximumDepth = 24

    /// Decodes any value, most likely text; refuses too deep nesting.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "nested too deeply")
        }
        if let text = Self.attempt({ try container.decode(String.self) }) {
            self = .string(text)
        } else if container.decodeNil() {
            self = .null
        } else if let object = Self.attempt({ try container.decode([String: JSONValue].self) }) {
            self = .object(object)
        } else if let array = Self.attempt({ try container.decode([JSONValue].self) }) {
            self = .array(array)
        } else if let flag = Self.attempt({ try container.decode(Bool.self) }) {
            self = .bool(flag)
        } else if let integer = Self.attempt({ try container.decode(Int64.self) }) {
            self = .integer(integer)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    private static func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do { return try body() } catch { return nil }
    }

    /// Encodes the value unchanged.
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
