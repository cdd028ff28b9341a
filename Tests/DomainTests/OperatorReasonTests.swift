import Domain
import Testing

@Suite struct `The reason of an operator` {
    @Test(arguments: [
        ("ticket 4711", true), (" a ", true), ("工单", true), ("", false), ("   ", false),
        ("\u{3000}\u{A0}", false),
        ("a\nb", false), (String(repeating: "x", count: 501), false),
    ])
    func `is one line that is not blank`(text: String, isValid: Bool) {
        #expect(OperatorReason.isValid(text) == isValid)
    }
}
