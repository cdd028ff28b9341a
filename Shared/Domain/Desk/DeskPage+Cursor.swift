package import Contracts

extension DeskPage.Place {
    /// As one word of a URL or a command: `1767225600000.KEY`.
    ///
    /// Bytes of the key that are no ASCII letter, digit, dot, hyphen or underscore are written as `~20`.
    package var cursor: String { "\(since.milliseconds).\(DeskCursor.escaped(key))" }

    /// Reads what `cursor` writes; nil for other text.
    package init?(cursor: String) {
        guard let dot = cursor.firstIndex(of: "."), let time = Int64(cursor[..<dot]),
            let key = DeskCursor.plain(cursor[cursor.index(after: dot)...])
        else { return nil }
        self.init(since: Timestamp(milliseconds: time), key: key)
    }
}

/// The key of a row as a part of a word that neither a shell nor a URL changes.
private enum DeskCursor {
    private static let mark = UInt8(ascii: "~")

    static func escaped(_ key: String) -> String {
        key.utf8.map { byte in
            guard !isSafe(byte) else { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "~0" : "~") + String(byte, radix: 16)
        }
        .joined()
    }

    /// What was escaped; nil for text that `escaped` does not write.
    static func plain(_ text: Substring) -> String? {
        var (bytes, rest) = ([UInt8](), text.utf8)
        while let byte = rest.popFirst() {
            guard byte == mark else {
                bytes.append(byte)
                continue
            }
            guard let escaped = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            bytes.append(escaped)
            rest = rest.dropFirst(2)
        }
        guard let key = String(validating: bytes, as: UTF8.self), escaped(key) == text else { return nil }
        return key
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        case _: false
        }
    }
}
