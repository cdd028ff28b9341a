import Domain
import Foundation
import Testing

@Suite struct `base64` {
    @Test func `gives back what was encoded, at every length`() {
        var generator = SystemRandomNumberGenerator()
        for length in 0...70 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let standard = Data(bytes).base64EncodedString()
            let url = standard.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(Base64.standard.decode(Array(standard.utf8)[...]) == bytes)
            #expect(Base64.url.decode(Array(url.utf8)[...]) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "AA=", "AA==", "AB", "AAB", "A+AA", "A/AA", "AA A", "AAA\n", "ÄAA", "AA\u{0}A",
    ])
    func `of the url kind refuses`(text: String) {
        #expect(Base64.url.decode(Array(text.utf8)[...]) == nil)
    }

    @Test(arguments: ["A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "A-AA", "A_AA", "AA=A", "AAAA\n"])
    func `of the standard kind refuses`(text: String) {
        #expect(Base64.standard.decode(Array(text.utf8)[...]) == nil)
    }
}
