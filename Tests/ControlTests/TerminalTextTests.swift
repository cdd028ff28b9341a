import Testing

@testable import Control

@Suite struct `What the terminal is given` {
    @Test(arguments: ["\u{9B}2J", "\u{1B}[2J", "a\u{202E}b", "a\rb"])
    func `has nothing in it that a terminal obeys`(name: String) {
        for text in [TextTable(["BUYER"], [[name]]).text, Terminal.lines("for \(name)\nconfirm it")] {
            let controls = text.unicodeScalars.filter {
                $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
            }
            #expect(controls.isEmpty && text.split(separator: "\n").count == 2, "\(text)")
        }
    }
}
