import Contracts
import Testing

@Suite struct `A traceparent` {
    private static let ids = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"

    @Test(arguments: [
        ("00-\(Self.ids)-01", "00-\(Self.ids)-01"), ("00-\(Self.ids)-00", "00-\(Self.ids)-00"),
        ("00-\(Self.ids)-03", "00-\(Self.ids)-03"), ("00-\(Self.ids)-ff", "00-\(Self.ids)-03"),
        ("01-\(Self.ids)-01", "00-\(Self.ids)-01"),
        ("cc-\(Self.ids)-05-what-comes-later", "00-\(Self.ids)-01"),
    ])
    func `is told on as version 00, with the flags that version knows`(_ header: String, _ text: String) {
        #expect(Traceparent(header)?.text == text)
    }

    @Test(arguments: [
        "", "00", "00-\(Self.ids)", "00-\(Self.ids)-", "00-\(Self.ids)-1", "00-\(Self.ids)-0g",
        "00-\(Self.ids)-0A",
        "00-\(Self.ids)-01-more", "00-\(Self.ids)-01,00-\(Self.ids)-01", "01-\(Self.ids)-01.more",
        "ff-\(Self.ids)-01",
        "0-\(Self.ids)-01", "00_\(Self.ids)-01", " 00-\(Self.ids)-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319cb-7ad6b7169203331-01",
        "00-ä0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    ])
    func `that is malformed is none`(header: String) {
        #expect(Traceparent(header) == nil)
    }
}
