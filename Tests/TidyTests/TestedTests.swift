import Testing

/// Whoever changes a table of a core finds its tests by name.
@Suite struct Tested {
    /// The tests that comments with a table name, line by line; nil where one names none.
    static func named(in lines: some Sequence<Substring>) -> [[String]?] {
        var found: [[String]?] = []
        var (hasTable, tests): (Bool, [String]?) = (false, nil)
        func end() {
            if hasTable { found.append(tests) }
            (hasTable, tests) = (false, nil)
        }
        for line in lines {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("///") else {
                end()
                continue
            }
            if text.hasPrefix("/// |--") || text.hasPrefix("/// | --") { hasTable = true }
            if text.hasPrefix("/// Tested by: ") { tests = text.matches(of: /`(\w+)`/).map { String($0.1) } }
        }
        end()
        return found
    }

    @Test(arguments: Floors.statefulServices)
    func `A table in a core names the tests that hold it, and they are there`(service: String) throws {
        let tests = Set(try House.sources(["Tests/\(service)Tests"]).map(\.name))
        let files = try House.sources(["Services/\(service)/**/Core"])
        let tables = files.flatMap { file in Self.named(in: file.lines).map { (file.path, $0) } }
        #expect(!tables.isEmpty)
        for (path, named) in tables {
            #expect(named?.isEmpty == false, "\(path) has a table without `Tested by:`")
            #expect(Set(named ?? []).isSubset(of: tests), "\(path) names tests that are not there")
        }
    }

    @Test func `A table without tests is found, and what is no table needs none`() {
        let lines = """
            /// A machine.
            ///
            /// Tested by: `OneTests`, `TwoTests`.
            ///
            /// | from | to |
            /// |------|----|
            enum One {
                /// | a | b |
                /// |---|---|
                case two
            }
            /// Tested by: `ThreeTests`.
            enum Three {}
            """
        #expect(Self.named(in: lines.split(separator: "\n")) == [["OneTests", "TwoTests"], nil])
    }
}
