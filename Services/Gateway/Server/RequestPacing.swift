/// Decides which bytes of a connection go on: one request is in flight at a time, the rest waits.
///
/// | state | a head is read | the request has ended | its response has left |
/// |---|---|---|---|
/// | `head` | `body` | – | – (a response to what is no request) |
/// | `body` | – | `response`, or `head` where the response has left already | is remembered |
/// | `response` | – | – | `head` |
///
/// A piece ends with the first empty line where a head begins and where nothing says how long a body is, and with the
/// first line feed where a head goes on; so no piece can end two heads. Where nothing says how long a body is, a piece
/// is no shorter than `minimumHeadBytes` either: so short a piece cannot end a body and a head after it, and a body of
/// line feeds does not come byte by byte. "–" changes nothing.
struct RequestPacing: Equatable {
    /// The longest incomplete head that is passed on, in bytes; longer than any that the decoder takes.
    static let maximumHeadBytes = 65_536

    /// The shortest head, in bytes: `G / HTTP/1.0` and two line feeds.
    static let minimumHeadBytes = 14

    private enum State: Equatable {
        /// Bytes of a head have gone on.
        case head(bytes: Int)
        /// Bytes of the body are still to come; nil when their number is unknown.
        case body(remaining: Int?)
        /// The request is complete, its response has not left.
        case response
    }

    private var state = State.head(bytes: 0)
    private var hasResponse = false
    /// Carriage returns since the last line feed; nil when other bytes followed it.
    private var sinceFeed: Int?

    var isInHead: Bool {
        if case .head(let bytes) = state { bytes > 0 } else { false }
    }

    var isHeadTooLong: Bool {
        if case .head(let bytes) = state { bytes > Self.maximumHeadBytes } else { false }
    }

    /// How many of these bytes may go on in one piece.
    func allowance(for bytes: some RandomAccessCollection<UInt8>) -> Int {
        switch state {
        case .head(bytes: 0): endOfEmptyLine(bytes)
        case .body(nil): max(endOfEmptyLine(bytes), min(bytes.count, Self.minimumHeadBytes))
        case .body(.some(let remaining)) where remaining > 0: min(remaining, bytes.count)
        case .head, .body: Self.endOfLine(bytes)
        case .response: 0
        }
    }

    mutating func pass(_ piece: some Collection<UInt8>) {
        let count = piece.count
        // The content of a body of known length does not matter.
        if case .body(.some) = state { sinceFeed = nil } else { for byte in piece { note(byte) } }
        switch state {
        case .head(let bytes): state = .head(bytes: bytes + count)
        case .body(.some(let remaining)): state = .body(remaining: max(0, remaining - count))
        case .body(nil), .response: break
        }
    }

    mutating func readHead(bodyBytes: Int?) {
        guard case .head = state else { return }
        state = .body(remaining: bodyBytes)
    }

    mutating func readEnd() {
        guard case .body = state else { return }
        state = hasResponse ? .head(bytes: 0) : .response
        hasResponse = false
    }

    mutating func responseLeft() {
        switch state {
        case .head: break
        case .body: hasResponse = true
        case .response: state = .head(bytes: 0)
        }
    }

    private static func endOfLine(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
        guard let feed = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return bytes.count }
        return bytes.distance(from: bytes.startIndex, to: feed) + 1
    }

    /// The number of bytes up to and including the first empty line.
    private func endOfEmptyLine(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
        var lines = self
        for (count, byte) in bytes.enumerated() where lines.note(byte) { return count + 1 }
        return bytes.count
    }

    /// Follows the lines; whether the byte ends an empty one.
    @discardableResult private mutating func note(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\n"):
            defer { sinceFeed = 0 }
            return sinceFeed != nil
        case UInt8(ascii: "\r") where sinceFeed == 0: sinceFeed = 1
        default: sinceFeed = nil
        }
        return false
    }
}
