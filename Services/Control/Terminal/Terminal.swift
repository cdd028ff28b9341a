import Delivery
import FoundationEssentials

enum Terminal {
    static func warn(_ text: String) { StandardError.write(text) }

    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
