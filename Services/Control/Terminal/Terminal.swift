import Foundation

enum Terminal {
    static func warn(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
