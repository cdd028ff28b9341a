import Testing

/// A rule that looks at the wrong text holds nothing.
@Suite struct `The scanner of sources` {
    @Test(arguments: [
        (#"let a = 1 // try? this"#, #"let a = 1             "#),
        (#"let a = "try? this""#, #"let a = "         ""#),
        (#"a /* one /* two */ try? */ b"#, #"a                          b"#),
        (#"f("x \(try? g("y")) z")"#, #"f("   (try? g(" "))  ")"#),
        (#"f("\"", fatalError())"#, #"f("  ", fatalError())"#),
        (##"f(#"a " \n \#(b) "#, c)"##, ##"f(#"         (b) "#, c)"##),
        ("let a = \"unclosed\nlet b = 2", "let a = \"        \nlet b = 2"),
    ])
    func `Comments and literals are blanked out, and what is interpolated is not`(text: String, code: String)
    {
        var scanner = SourceScanner(text)
        #expect(scanner.code() == code)
    }

    @Test func `A literal of several lines keeps its lines`() {
        var scanner = SourceScanner("a(\"\"\"\n  it says \"hi\"\n  \\(b)\n  \"\"\")\nc")
        #expect(scanner.code() == "a(\"\"\"\n              \n   (b)\n  \"\"\")\nc")
    }

    @Test func `Imports are found in every form`() {
        let file = SourceFile(
            path: "x.swift",
            text: "import A\npackage import B\n@testable import C\nimport struct D.E\n// import F\n"
        )
        #expect(file.imports == ["A", "B", "C", "D"])
    }
}
