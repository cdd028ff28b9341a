import Delivery
import FoundationEssentials
import Glibc

enum Terminal {
    /// Writes what was printed at once, which is otherwise kept where standard output is no terminal.
    static func flush() { fflush(nil) }

    static func warn(_ text: String) { StandardError.write(text) }

    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

extension Int {
    /// Such as `1 grant`, `2 grants`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
