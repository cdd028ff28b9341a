import Testing

/// How large things may grow before they want splitting.
@Suite struct Sizes {
    static let maximumFileLines = 400
    static let maximumFunctionLines = 70

    @Test func `No file is longer than 400 lines`() throws {
        for file in try House.sources("Services", "Shared", "Tests") {
            #expect(file.lines.count - 1 <= Self.maximumFileLines, "\(file.path)")
        }
    }

    @Test func `No function is longer than 70 lines`() throws {
        for file in try House.sources("Services", "Shared", "Tests") {
            for function in FunctionLengths(file.code).all where function.lines > Self.maximumFunctionLines {
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
        let found = FunctionLengths(code).all
        #expect(found.map(\.line) == [6, 7, 11])
        #expect(found.map(\.lines) == [1, 4, 3])
    }
}

/// Finds the functions of a source and counts their lines.
struct FunctionLengths {
    struct Function: Equatable {
        let line: Int
        let lines: Int
    }

    private(set) var all: [Function] = []

    /// Counts in code whose comments and literals are blanked out.
    init(_ code: String) {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(Self.head) {
            if let length = Self.length(of: lines[index...]) {
                all.append(Function(line: index + 1, lines: length))
            }
        }
    }

    private static var head: Regex<Substring> {
        /^\s*(?:@\w+(?:\([^)]*\))? +|[a-z]+(?:\([a-z]+\))? +)*(?:func [^ ]|init[?(<]|deinit\b)[^\n]*/
    }

    /// Lines up to the brace that closes the body; nil when there is none, as in a protocol.
    private static func length(of lines: ArraySlice<Substring>) -> Int? {
        var parentheses = 0
        var braces = 0
        for (count, line) in lines.enumerated() {
            if count > 0, braces == 0, parentheses == 0, line.contains(Self.head) { return nil }
            for character in line {
                switch character {
                case "(", "[": parentheses += 1
                case ")", "]": parentheses -= 1
                case "{" where parentheses == 0 || braces > 0: braces += 1
                case "}" where parentheses == 0 || braces > 0:
                    braces -= 1
                    if braces == 0 { return count + 1 }
                    if braces < 0 { return nil }
                default: break
                }
            }
        }
        return nil
    }
}
