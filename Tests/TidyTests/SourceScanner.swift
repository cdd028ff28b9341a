/// Blanks out what is not code: comments and the insides of string literals, but not what is interpolated in them.
///
/// Line feeds stay, so that lines keep their numbers. Regex literals are taken for code: one that holds a quotation
/// mark writes it as `\x22`.
struct SourceScanner {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let pound = UInt8(ascii: "#")

    private var bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The text without comments and literals.
    mutating func code() -> String {
        code(untilParenthesis: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func starts(with text: [UInt8]) -> Bool { bytes[position...].starts(with: text) }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] != Self.lineFeed { bytes[position] = UInt8(ascii: " ") }
            position += 1
        }
    }

    private mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "/") where starts(with: Array("//".utf8)):
                while position < bytes.count, bytes[position] != Self.lineFeed { blank() }
                continue
            case UInt8(ascii: "/") where starts(with: Array("/*".utf8)):
                comment()
                continue
            case Self.quote, Self.pound:
                literalOrPounds()
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if untilParenthesis, depth < 0 { return }
            default: break
            }
            position += 1
        }
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if starts(with: Array("/*".utf8)) {
                depth += 1
                blank(2)
            } else if starts(with: Array("*/".utf8)) {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func literalOrPounds() {
        let pounds = Array(bytes[position...].prefix { $0 == Self.pound })
        position += pounds.count
        guard position < bytes.count, bytes[position] == Self.quote else { return }
        let quotes = Array(repeating: Self.quote, count: starts(with: Array("\"\"\"".utf8)) ? 3 : 1)
        position += quotes.count
        let escape = [UInt8(ascii: "\\")] + pounds
        while position < bytes.count, quotes.count == 3 || bytes[position] != Self.lineFeed {
            if starts(with: quotes + pounds) {
                position += quotes.count + pounds.count
                return
            }
            guard starts(with: escape) else {
                blank()
                continue
            }
            blank(escape.count)
            if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
                position += 1
                code(untilParenthesis: true)
                position += 1
            } else {
                blank()
            }
        }
    }
}
