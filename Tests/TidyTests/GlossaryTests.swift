import Testing

/// One concept has one name: a retired word does not come back (`RetiredWords.swift`).
@Suite struct Glossary {
    /// Words that nothing is called any more.
    struct Retired {
        let words: [String]
        let today: String
        /// Folders in which they are retired; everywhere if there are none.
        let folders: [String]

        init(_ words: String..., now today: String, in folders: [String] = []) {
            self.words = words
            self.today = today
            self.folders = folders
        }
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

    @Test func `No name has a word that is retired`() throws {
        let rows = Retired.all.map { row in (row: row, words: row.words.map { Self.words(of: $0[...]) }) }
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

    @Test(arguments: [
        ("Errand", "GroupErrand", true), ("Errand", "errands", true), ("Errand", "errandReport", true),
        ("Leash", "leashed", false), ("Edge", "acknowledged", false), ("LookBack", "theLookBackDays", true),
        ("LookBack", "lookBehind", false), ("Unit", "HTTPUnit", true), ("Unit", "community", false),
    ])
    func `A retired word counts where it is a word of its own`(word: String, name: String, counts: Bool) {
        #expect(Self.contains(Self.words(of: word[...]), in: Self.words(of: name[...])) == counts)
    }
}
