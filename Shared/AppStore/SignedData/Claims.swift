import Contracts

extension KeyedDecodingContainer<JSONText.Step> {
    /// A member's value, or nothing where there is none of this type.
    func readable<Value: Decodable>(_ name: String) -> Value? {
        guard contains(.member(name)) else { return nil }
        do { return try decode(Value.self, forKey: .member(name)) } catch { return nil }
    }
}

/// A value, or nothing where there is one of another type.
struct IfReadable<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { value = try container.decode(Value.self) } catch { value = nil }
    }
}
