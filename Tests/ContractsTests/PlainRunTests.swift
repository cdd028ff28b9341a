import Contracts
import Testing

@Suite struct `bytes that stand for themselves in a JSON string` {
    private static func run(_ bytes: [UInt8]) -> PlainRun { bytes.withUnsafeBytes { PlainRun($0) } }

    @Test(arguments: UInt8.min...UInt8.max)
    func `end at a quote, a backslash or a control character, wherever it is`(byte: UInt8) {
        let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        let wrong = (0..<72).flatMap { before in
            [0, 1, 7, 8, 40].filter { after in
                let bytes =
                    [UInt8](repeating: UInt8(ascii: "#"), count: before) + [byte]
                    + [UInt8](repeating: UInt8(ascii: "]"), count: after)
                let run = Self.run(bytes)
                let isASCII = !isPlain || byte < 0x80
                return run.count != (isPlain ? bytes.count : before) || run.isASCII != isASCII
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `are told apart from what follows them`() {
        #expect(Self.run(Array("ä\"b".utf8)).count == 2)
        #expect(!Self.run(Array("ä\"b".utf8)).isASCII)
        #expect(Self.run(Array("a\"ä".utf8)).isASCII)
        #expect(Self.run([]).count == 0)
    }
}
