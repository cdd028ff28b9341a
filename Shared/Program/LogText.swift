/// Makes text safe to log: it cannot control the terminal that shows it.
package enum LogText {
    /// Escapes invisible characters: line feeds as `\\n`, others as `\\u{1b}`.
    ///
    /// These are Unicode's control characters, line and paragraph separators, and bidirectional controls.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        let named: [Unicode.Scalar: String] = ["\n": "\\n", "\r": "\\r", "\t": "\\t"]
        return text.unicodeScalars.map { scalar in
            guard isControl(scalar) else { return String(scalar) }
            return named[scalar] ?? "\\u{\(String(scalar.value, radix: 16))}"
        }
        .joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x61C, 0x200E, 0x200F:
            true
        default: false
        }
    }
}
