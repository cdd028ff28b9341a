import Testing

/// Prose has lines that fit beside the code that it explains.
@Suite struct Prose {
    static let maximumCharacters = 120

    @Test func `No line of a page is longer than 120 characters, but for tables and code`() throws {
        let folders = House.product + ["Tests", "deploy", ".github"]
        let pages = try House.texts(in: folders, and: ["README.md"]).filter { $0.path.hasSuffix(".md") }
        #expect(pages.count > 5)
        for page in pages {
            for line in Self.longLines(ofPage: page.text) { Issue.record("\(page.path):\(line)") }
        }
    }

    @Test func `No line of a comment is longer than 120 characters, but for tables`() throws {
        for file in try House.sources() {
            for (index, line) in file.lines.enumerated() where Self.isLong(line) {
                let text = line.drop { $0 == " " }
                guard text.hasPrefix("//"), !text.hasPrefix("/// |") else { continue }
                Issue.record("\(file.path):\(index + 1)")
            }
        }
    }

    @Test func `What stands between fences, and a row of a table, may be of any length`() {
        let long = String(repeating: "long ", count: 30)
        let page = "short\n\(long)\n| \(long) |\n```\n\(long)\n```\n\(long)\n"
        #expect(Self.longLines(ofPage: page) == [2, 7])
    }

    /// The numbers of the lines of prose that are too long.
    private static func longLines(ofPage text: String) -> [Int] {
        var isCode = false
        var found: [Int] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("```") {
                isCode.toggle()
            } else if !isCode, !content.hasPrefix("|"), isLong(line) {
                found.append(index + 1)
            }
        }
        return found
    }

    /// Bytes are counted first, because that is cheaper.
    private static func isLong(_ line: Substring) -> Bool {
        line.utf8.count > maximumCharacters && line.count > maximumCharacters
    }
}
