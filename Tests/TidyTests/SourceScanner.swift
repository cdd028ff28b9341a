/// Blanks out what is not code: comments and the insides of string literals, but not what is interpolated in them.
///
/// Line feeds stay, so that lines keep their numbers. Regex literals are taken for code: one that holds a quotation
/// mark writes it as `\x22`.
struct SourceScanner {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let pound = UInt8(ascii: "#")
    private static let backslash = UInt8(ascii: "\\")

    private let input: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    init(_ text: String) { input = Array(text.utf8) }

    /// The text without comments and literals.
    mutating func code() -> String {
        output.reserveCapacity(input.count)
        code(untilParenthesis: false)
        return String(decoding: output, as: UTF8.self)
    }

    private func starts(_ text: StaticString, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= input.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where input[index + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Whether `count` pounds stand at `index`.
    private func pounds(_ count: Int, at index: Int) -> Bool {
        index + count <= input.count && input[index..<(index + count)].allSatisfy { $0 == Self.pound }
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where position < input.count {
            output.append(input[position] == Self.lineFeed ? Self.lineFeed : UInt8(ascii: " "))
            position += 1
        }
    }

    private mutating func keep(_ count: Int = 1) {
        for _ in 0..<count where position < input.count {
            output.append(input[position])
            position += 1
        }
    }

    private mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while position < input.count {
            switch input[position] {
            case UInt8(ascii: "/") where starts("//", at: position): lineComment()
            case UInt8(ascii: "/") where starts("/*", at: position): comment()
            case Self.quote: literal(pounds: 0)
            case Self.pound: pounds()
            case UInt8(ascii: "("):
                depth += 1
                keep()
            case UInt8(ascii: ")"):
                depth -= 1
                if untilParenthesis, depth < 0 { return }
                keep()
            default: keep()
            }
        }
    }

    /// Pounds in front of a literal, or of something else.
    private mutating func pounds() {
        let count = input[position...].prefix { $0 == Self.pound }.count
        let opensLiteral = position + count < input.count && input[position + count] == Self.quote
        keep(count)
        if opensLiteral { literal(pounds: count) }
    }

    private mutating func lineComment() {
        while position < input.count, input[position] != Self.lineFeed { blank() }
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if starts("/*", at: position) {
                depth += 1
                blank(2)
            } else if starts("*/", at: position) {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < input.count
    }

    private mutating func literal(pounds count: Int) {
        let isLong = starts("\"\"\"", at: position)
        let quotes = isLong ? 3 : 1
        keep(quotes)
        while position < input.count, isLong || input[position] != Self.lineFeed {
            let closes = isLong ? starts("\"\"\"", at: position) : input[position] == Self.quote
            if closes, pounds(count, at: position + quotes) {
                keep(quotes + count)
                return
            }
            guard input[position] == Self.backslash, pounds(count, at: position + 1) else {
                blank()
                continue
            }
            blank(1 + count)
            if position < input.count, input[position] == UInt8(ascii: "(") {
                keep()
                code(untilParenthesis: true)
                keep()
            } else {
                blank()
            }
        }
    }
}
