import FoundationEssentials

enum JSONBody {
    /// The value of a JSON object; nil for everything else.
    static func read<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
        guard looksLikeAnObject(body) else { return nil }
        do { return try JSONDecoder().decode(type, from: Data(body)) } catch { return nil }
    }

    static func looksLikeAnObject(_ body: [UInt8]) -> Bool {
        body.first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "{")
    }
}
