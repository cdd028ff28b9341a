import Testing

/// How large things may grow before they want splitting.
@Suite struct Sizes {
    static let maximumFileLines = 400
    static let maximumFunctionLines = 70

    @Test func `No file is longer than 400 lines`() throws {
        for file in try House.sources() {
            #expect(file.lines.count - 1 <= Self.maximumFileLines, "\(file.path)")
        }
    }

    @Test func `No function is longer than 70 lines`() throws {
        for file in try House.sources() {
            for function in Self.functions(in: file.code) where function.lines > Self.maximumFunctionLines {
                Issue.record("\(file.path):\(function.line) has \(function.lines) lines")
            }
        }
    }

    @Test func `The lengths of functions are counted from the first line to the closing brace`() {
        let code = """
            protocol P {
                func none(_ a: Int)
                func other()
            }
            struct S {
                func one() { call { } }
                func four(
                    _ body: () -> Void = { }
                ) {
                }
                init() {

                }
            }
            """
        let found = Self.functions(in: code)
        #expect(found.map(\.line) == [6, 7, 11])
        #expect(found.map(\.lines) == [1, 4, 3])
    }

    /// The functions with a body; comments and literals of the code are blanked out, and it is formatted.
    private static func functions(in code: String) -> [(line: Int, lines: Int)] {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.filter { lines[$0].contains(head) }.compactMap { first in
            let margin = lines[first].prefix { $0 == " " }
            if lines[first].hasSuffix("}") { return (first + 1, 1) }
            // The head may go on in lines of the same margin; the first one that does not must close the body.
            let last = lines[(first + 1)...].firstIndex { line in
                line.hasPrefix(margin) && line.dropFirst(margin.count).contains(/^[^ \n){]/)
                    && !line.dropFirst(margin.count).contains(/^(async|throws|where|->)/)
            }
            guard let last, lines[last].hasPrefix(margin + "}") else { return nil }
            return (first + 1, last - first + 1)
        }
    }

    private static var head: Regex<Substring> {
        /^\s*(?:@\w+(?:\([^)]*\))? +|[a-z]+(?:\([a-z]+\))? +)*(?:func(?: [^ ]|$)|init[?(<]|deinit\b)[^\n]*/
    }
}
