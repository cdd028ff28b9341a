import Foundation
import Testing

/// One concept has one name: what Services/README.md has retired does not come back.
@Suite struct Glossary {
    /// A row of the table: words that nothing is called any more.
    struct Retired {
        let words: [String]
        let today: String
        /// Folders in which they are retired; everywhere if there are none.
        let folders: [String]
    }

    /// The table's header; a third column, `where`, may name folders.
    private static var header: Regex<Substring> {
        /\|\s*retired word\s*\|\s*today's word\s*\|.*/
    }

    /// The rows of the table.
    static func retired(in document: String) -> [Retired] {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.wholeMatch(of: header) != nil }) else { return [] }
        return lines[(start + 1)...].prefix { $0.hasPrefix("|") }.dropFirst().map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Retired(
                words: names(in: cells[0]),
                today: cells.count > 1 ? cells[1] : "",
                folders: cells.count > 2 ? names(in: cells[2]) : []
            )
        }
    }

    /// The names in a cell, with or without marks of code.
    private static func names(in cell: String) -> [String] {
        cell.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
            .filter { !$0.isEmpty }
    }

    /// The words of a name, in lower case.
    static func words(of name: Substring) -> [String] {
        name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/).map { name[$0.range].lowercased() }
    }

    /// Whether the words of a name are these in a row, the last of them perhaps in the plural.
    static func contains(_ wanted: [String], in own: [String]) -> Bool {
        guard let last = wanted.last, own.count >= wanted.count else { return false }
        return (0...(own.count - wanted.count)).contains { start in
            let part = own[start..<(start + wanted.count)]
            return part.dropLast().elementsEqual(wanted.dropLast()) && [last, last + "s"].contains(part.last)
        }
    }

    /// The names that a file declares, and its own; those of tests are sentences.
    private static func names(in file: SourceFile) -> [Substring] {
        let member = /(?m)^ {0,4}(?:[a-z]+(?:\([a-z]+\))? +)*(?:let|var|case) +(\w+)/
        let other = /\b(?:class|struct|enum|protocol|actor|typealias|associatedtype|func) +(\w+)/
        return file.code.matches(of: member).map { $0.1 } + file.code.matches(of: other).map { $0.1 }
            + [file.name[...]]
    }

    @Test func `No name has a word that the glossary has retired`() throws {
        let retired = Self.retired(in: try House.contents("Services/README.md"))
        #expect(!retired.isEmpty, "the glossary has no table of retired words")
        let rows = retired.map { row in (row: row, words: row.words.map { Self.words(of: $0[...]) }) }
        // Taking a name apart costs more than all else, and most names occur in many files.
        var known: [Substring: [String]] = [:]
        for file in try House.sources() {
            let here = rows.filter { $0.row.folders.isEmpty || file.isIn($0.row.folders) }
            for name in Set(Self.names(in: file)) {
                let own = known[name] ?? Self.words(of: name)
                known[name] = own
                for (row, words) in here where words.contains(where: { Self.contains($0, in: own) }) {
                    let listed = row.words.joined(separator: ", ")
                    Issue.record("\(file.path): \(name) says \(listed); today's word is \(row.today)")
                }
            }
        }
    }

    @Test func `The table of the glossary is read row by row`() {
        let document = """
            | word | meaning |
            |---|---|

            | retired word | today's word | where |
            |---|---|---|
            | `Errand`, matter | AppleJob | |
            | Lane | AppleQueue | Services/Receipts |

            | other | table |
            """
        let rows = Self.retired(in: document)
        #expect(rows.map(\.words) == [["Errand", "matter"], ["Lane"]])
        #expect(rows.map(\.today) == ["AppleJob", "AppleQueue"])
        #expect(rows.map(\.folders) == [[], ["Services/Receipts"]])
    }

    @Test(arguments: [
        ("Errand", "GroupErrand", true), ("Errand", "errands", true), ("Errand", "errandReport", true),
        ("Leash", "leashed", false), ("Edge", "acknowledged", false), ("LookBack", "theLookBackDays", true),
        ("LookBack", "lookBehind", false), ("Unit", "HTTPUnit", true), ("Unit", "community", false),
    ])
    func `A retired word counts where it is a word of its own`(word: String, name: String, counts: Bool) {
        #expect(Self.contains(Self.words(of: word[...]), in: Self.words(of: name[...])) == counts)
    }
}
