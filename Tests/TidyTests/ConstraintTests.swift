import Testing

/// What a constraint of a table costs each statement that writes its columns.
@Suite struct Constraints {
    @Test func `have no IN of more than two texts, for which SQLite makes a table each time`() throws {
        let long = try Regex(#"\bIN\s*\((\s*'[^']*'\s*,){2}"#)
        for file in try House.sources(House.product) where file.name.contains("Schema") {
            #expect(file.text.firstMatch(of: long) == nil, "\(file.path): isOneOf compares")
        }
    }
}
