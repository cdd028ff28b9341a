/// Text as it may stand in a log: whoever reads one in a terminal must not be told what to do by a stranger.
package enum LogText {
    /// The text with every character that leaves no ink of its own written out: line feeds as `\\n`, others as
    /// `\\u{1b}`.
    ///
    /// These are the control characters of Unicode, its line and paragraph separators, and what turns the direction of
    /// writing.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            case _ where isControl(scalar): escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: true
        default: false
        }
    }
}
