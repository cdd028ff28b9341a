import Domain
import Testing

@Suite struct `Percent-encoded text` {
    static let texts: [(String, String?)] = [
        ("", ""), ("ada", "ada"), ("a%40b", "a@b"), ("%C3%a4", "ä"), ("%2540", "%40"), ("a+b", "a+b"),
        ("%", nil), ("a%4", nil), ("%zz", nil), ("%+5", nil), ("%ff", nil),
    ]

    @Test(arguments: texts)
    func `is what its bytes say, or nothing where an encoding is broken`(text: String, plain: String?) {
        #expect(text.percentDecoded == plain)
    }
}
