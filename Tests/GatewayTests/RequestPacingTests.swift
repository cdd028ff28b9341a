import Testing

@testable import Gateway

@Suite struct `The pieces in which requests go on` {
    /// The pieces in which a body of unknown length and what comes after it go on, as they come.
    private func pieces(_ arrivals: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        var pacing = RequestPacing()
        pacing.pass("POST / HTTP/1.1\r\n\r\n".utf8)
        pacing.readHead(bodyBytes: nil)
        var pieces: [ArraySlice<UInt8>] = []
        for arrival in arrivals {
            var rest = arrival
            while !rest.isEmpty {
                let piece = rest.prefix(pacing.allowance(for: rest))
                pacing.pass(piece)
                pieces.append(piece)
                rest = rest.dropFirst(piece.count)
            }
        }
        return pieces
    }

    @Test func `are not single bytes where a body of unknown length is nothing but line feeds`() {
        let body = [UInt8](repeating: UInt8(ascii: "\n"), count: 16_384)
        #expect(pieces([body[...]]).count <= body.count / RequestPacing.minimumHeadBytes + 1)
    }

    @Test(arguments: ["0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "0\r\nTrailer: 1\r\n\r\n"])
    func `end no second head after a body of unknown length, wherever the packets end`(body: String) {
        let bytes = Array((body + "G / HTTP/1.0\r\n\r\n" + "GET /next HTTP/1.1\r\nHost: g\r\n\r\n").utf8)
        for cut in bytes.indices {
            var passed: [UInt8] = []
            for piece in pieces([bytes[..<cut], bytes[cut...]]) {
                let before = Self.emptyLines(in: passed)
                passed += piece
                #expect(Self.emptyLines(in: passed) - before <= 1, "a cut at \(cut)")
            }
            #expect(passed == bytes)
        }
    }

    private static func emptyLines(in bytes: [UInt8]) -> Int {
        let end = Array("\r\n\r\n".utf8)
        return bytes.indices.count { bytes[$0...].starts(with: end) }
    }
}
