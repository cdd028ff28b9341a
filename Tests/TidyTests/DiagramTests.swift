import Testing

/// The diagrams of the documents.
///
/// They are made of few kinds of lines: every reader of Markdown draws them, and a person reads them as they are.
@Suite struct Diagrams {
    /// A block that is marked as one.
    struct Diagram: Sendable {
        /// The document, and the line with which the block begins.
        let place: String
        /// What stands between the fences.
        let lines: [Substring]
    }

    /// The diagrams of a document, or its blocks of another kind.
    static func diagrams(in document: String, at path: String, kind: String = "mermaid") -> [Diagram] {
        var found: [Diagram] = []
        var start: Int?
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let first = start {
                guard line == "```" else { continue }
                let inside = Array(lines[(first + 1)..<index])
                found.append(Diagram(place: "\(path):\(first + 1)", lines: inside))
                start = nil
            } else if line == "```\(kind)" {
                start = index
            }
        }
        return found
    }

    /// What a diagram has that it may not have; empty where it is as it should be.
    static func faults(in lines: [Substring]) -> [String] {
        var faults: [String] = []
        var participants: Set<Substring> = []
        if lines.first != "sequenceDiagram" { faults.append("does not begin with sequenceDiagram") }
        for line in lines.dropFirst() {
            var named: [Substring] = []
            if let declared = line.wholeMatch(of: /\s*participant (\w+) as \S.*/) {
                let isNew = participants.insert(declared.1).inserted
                if !isNew { faults.append("declares \(declared.1) twice") }
            } else if let arrow = line.wholeMatch(of: /\s*(\w+)(?:->>|-->>)(\w+): \S.*/) {
                named = [arrow.1, arrow.2]
            } else if let note = line.wholeMatch(of: /\s*Note over (\w+): \S.*/) {
                named = [note.1]
            } else {
                faults.append("has a line of another kind: \(line)")
            }
            for name in named where !participants.contains(name) {
                faults.append("names \(name), who is no participant")
            }
        }
        return faults
    }

    @Test func `A diagram has participants, arrows and notes, and nothing else`() throws {
        let documents = try House.texts(and: ["README.md"]).filter { $0.path.hasSuffix(".md") }
        let diagrams = documents.flatMap { Self.diagrams(in: $0.text, at: $0.path) }
        #expect(!diagrams.isEmpty, "no document has a diagram")
        for diagram in diagrams {
            for fault in Self.faults(in: diagram.lines) { Issue.record("\(diagram.place) \(fault)") }
        }
    }

    @Test func `A diagram is found between its fences`() {
        let document = """
            ```sh
            ls
            ```
            ```mermaid
            sequenceDiagram
            ```
            """
        let found = Self.diagrams(in: document, at: "README.md")
        #expect(found.map(\.place) == ["README.md:4"])
        #expect(found.map(\.lines) == [["sequenceDiagram"]])
    }

    @Test(arguments: [
        ("sequenceDiagram;participant A as Ada;participant B as Bob;A->>B: asks;B-->>A: answers", 0),
        ("sequenceDiagram;participant A as Ada;Note over A: knows", 0),
        ("flowchart LR;participant A as Ada", 1),
        ("sequenceDiagram;participant A as Ada;participant A as Ada", 1),
        ("sequenceDiagram;participant A as Ada;A->>B: asks", 1),
        ("sequenceDiagram;Note over A: knows", 1),
        ("sequenceDiagram;participant A", 1),
        ("sequenceDiagram;participant A as Ada;A-)A: asks;loop again", 2),
        ("sequenceDiagram;participant A as Ada;A->>A:", 1),
    ])
    func `Each fault of a diagram is found`(lines: String, count: Int) {
        #expect(Self.faults(in: lines.split(separator: ";")).count == count)
    }
}
