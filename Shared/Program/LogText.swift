/// Text as it may stand in a log: nothing in it controls the terminal in which it is read.
package enum LogText {
    /// The text with every invisible character written out: line feeds as `\\n`, others as `\\u{1b}`.
    ///
    /// These are the control characters of Unicode, its line and paragraph separators, and what turns the direction of
    /// writing.
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
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: true
        default: false
        }
    }
}
