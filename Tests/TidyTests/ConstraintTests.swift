import Testing

/// What a constraint of a table costs each statement that writes its columns.
@Suite struct Constraints {
    @Test func `have no IN of more than two texts, for which SQLite makes a table each time`() throws {
        let long = try Regex(#"\bIN\s*\((\s*'[^']*'\s*,){2}"#)
        for file in try House.sources(House.product) where file.name.contains("Schema") {
            #expect(file.text.firstMatch(of: long) == nil, "\(file.path): isOneOf compares")
        }
    }

    /// A row that gives way to another one is deleted without a word, and what a failed statement leaves is no
    /// transaction: a commit log could not repeat either.
    @Test(arguments: [
        #"\bOR\s+(REPLACE|FAIL|ROLLBACK)\b"#, #"\bREPLACE\s+INTO\b"#,
        #"\bON\s+CONFLICT\s+(REPLACE|FAIL|ROLLBACK)\b"#,
    ])
    func `are never resolved by a row that gives way, or by half a statement`(resolution: String) throws {
        let resolution = try Regex(resolution)
        for file in try House.sources(House.product) {
            #expect(file.text.firstMatch(of: resolution) == nil, "\(file.path): ON CONFLICT DO UPDATE")
        }
    }

    @Test func `have no generated columns, whose places SQLite's hook does not tell`() throws {
        let generated = try Regex(#"\bGENERATED\s+ALWAYS\b|\)\s+(STORED|VIRTUAL)\b"#)
        for file in try House.sources(House.product) where file.name.contains("Schema") {
            #expect(file.text.firstMatch(of: generated) == nil, "\(file.path): a plain column, and a CHECK")
        }
    }

    @Test func `have literal words and numbers, as what the code gets later would be in new stores alone`()
        throws
    {
        let fromCode = try Regex(#"\ballCases\b|\b[A-Z]\w*\.\w"#)
        for file in try House.sources(House.product) where file.name.contains("Schema") {
            for (number, line) in file.lines.enumerated() where !line.contains(/^\s*\/\//) {
                let isLiteral = line.firstMatch(of: fromCode) == nil
                #expect(isLiteral, "\(file.path):\(number + 1)")
            }
        }
    }
}
