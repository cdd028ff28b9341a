import Contracts
import Logging
import Testing

@testable import Program

@Suite struct `a line of a log` {
    private static func line(_ message: Logger.Message, _ metadata: Logger.Metadata = [:]) -> String {
        let event = LogEvent(
            level: .info,
            message: message,
            error: nil,
            metadata: metadata,
            source: "test",
            file: "",
            function: "",
            line: 1
        )
        return LineLogHandler(program: "orders.0").line(event, at: Timestamp(milliseconds: 0))
    }

    @Test func `is one line of printable text, whatever a stranger wrote`() {
        let hostile = "a\u{1B}[2J\u{7}b\r\nc\td\u{0}\u{7F}\u{9B}31m\u{2028}\u{202E}e"
        let line = Self.line("said: \(hostile)", ["reason": "\(hostile)"])
        #expect(line.hasSuffix("\n"))
        for scalar in line.dropLast().unicodeScalars {
            #expect(scalar.properties.generalCategory != .control, "\(scalar.value)")
            #expect(![0x2028, 0x202E].contains(scalar.value))
        }
        #expect(line.contains(#"a\u{1b}[2J\u{7}b\r\nc\td\u{0}\u{7f}\u{9b}31m\u{2028}\u{202e}e"#))
    }

    @Test func `has quotes around what is not one word, and leaves other writing as it is`() {
        #expect(Self.line("x", ["reason": "kein Käse 🧀"]).hasSuffix(" x reason=\"kein Käse 🧀\"\n"))
        #expect(Self.line("x", ["reason": "one"]).hasSuffix(" x reason=one\n"))
    }
}
