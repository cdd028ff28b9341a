/// Any JSON value, unchanged.
package enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Levels of arrays and objects, the outermost one included; 0 of any other value.
    package var levels: Int {
        switch self {
        case .null, .bool, .integer, .number, .string: 0
        case .array(let values): 1 + (values.map(\.levels).max() ?? 0)
        case .object(let members): 1 + (members.values.map(\.levels).max() ?? 0)
        }
    }

    /// Decodes any value, most likely text.
    ///
    /// Levels are limited where a value comes in, and never here: what was accepted once must be read from every
    /// message, at whatever place in it. `JSONDecoder` itself reads 512 levels.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
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
