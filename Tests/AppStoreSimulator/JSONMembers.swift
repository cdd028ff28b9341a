import Contracts

extension JSONValue? {
    /// Absent where there is no text.
    static func text(_ text: String?) -> Self { text.map(JSONValue.string) }

    /// Absent where there is no number.
    static func whole(_ number: (some BinaryInteger)?) -> Self { number.map { .integer(Int64($0)) } }
}

extension JSONValue {
    static func members(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues(\.self))
    }
}

struct Merged<One: Encodable & Sendable, Other: Encodable & Sendable>: Encodable, Sendable {
    var one: One
    var other: Other

    func encode(to encoder: any Encoder) throws {
        try one.encode(to: encoder)
        try other.encode(to: encoder)
    }
}
