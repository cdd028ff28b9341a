import Contracts

extension JSONValue? {
    /// Absent where there is no text.
    static func text(_ text: String?) -> Self { text.map(JSONValue.string) }

    /// Absent where there is no number.
    static func whole(_ number: (some BinaryInteger)?) -> Self { number.map { .integer(Int64($0)) } }
}

extension JSONValue {
    /// An object of the members that are there.
    static func members(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues(\.self))
    }
}
