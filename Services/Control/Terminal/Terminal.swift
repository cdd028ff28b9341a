import Delivery
import FoundationEssentials
import Glibc
import Program

enum Terminal {
    /// Writes what was printed at once, which is otherwise kept where standard output is no terminal.
    static func flush() { fflush(nil) }

    static func warn(_ text: String) { StandardError.write(text) }

    /// Prints lines in which others have had a say: what the terminal would obey is escaped.
    static func printLines(_ text: String) { print(lines(text)) }

    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { LogText.escaped(String($0)) }
            .joined(separator: "\n")
    }

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
