import Testing
import ZeroMQ

@Suite struct `a key of CURVE` {
    /// The test pair of libzmq's manual.
    private static let publicText = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
    private static let secretText = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"

    @Test func `is public as its secret says`() throws {
        let pair = try #require(CurveKeyPair(secret: Self.secretText))
        #expect(pair.publicKey.description == Self.publicText)
        #expect(CurvePublicKey(Self.publicText) == pair.publicKey)
    }

    @Test func `is another one each time, and comes back from its text`() throws {
        let (first, second) = (try CurveKeyPair.make(), try CurveKeyPair.make())
        #expect(first.publicKey != second.publicKey)
        #expect(first.secret != second.secret)
        #expect(CurveKeyPair(secret: first.secret)?.publicKey == first.publicKey)
    }

    @Test func `keeps its secret half to itself in any text`() throws {
        let pair = try #require(CurveKeyPair(secret: Self.secretText))
        #expect("\(pair)" == Self.publicText)
        #expect(!String(reflecting: [pair]).contains(Self.secretText))
    }

    @Test(arguments: [
        "", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7a",
        "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf\"", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]y é",
        "#####################################\u{0}##", "########################################",
    ])
    func `of any other form is none`(text: String) {
        #expect(CurvePublicKey(text) == nil)
        #expect(CurveKeyPair(secret: text) == nil)
    }
}
