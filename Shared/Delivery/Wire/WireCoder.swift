import Contracts

/// Converts messages to frames and back; one per thread, because it reuses its coders.
final class WireCoder {
    private let encoder = EventCoder.encoder()
    private let decoder = EventDecoder()

    /// The frames of a message.
    func encode(_ message: WireMessage) -> [[UInt8]] {
        [WireMessage.magic, header(message.header)] + message.body
    }

    private func header(_ header: WireHeader) -> [UInt8] {
        if let usual = HeaderText.usual(header) { return usual }
        do {
            return try encoder.encode(header)
        } catch {
            preconditionFailure("a header always has a JSON form: \(error)")
        }
    }

    /// The message in these frames; nil when they are not of this protocol.
    func decode(_ frames: [[UInt8]]) -> WireMessage? {
        guard frames.count >= 2, frames[0] == WireMessage.magic else { return nil }
        guard let header = Self.usual(frames[1]) ?? decoded(frames[1]), header.isInRange else { return nil }
        return WireMessage(header, body: Array(frames.dropFirst(2)))
    }

    private func decoded(_ bytes: [UInt8]) -> WireHeader? {
        do {
            return try decoder.decode(WireHeader.self, from: bytes)
        } catch {
            return nil
        }
    }

    /// A fast path for the usual headers as `encode` writes them; nil for any other header.
    private static func usual(_ bytes: [UInt8]) -> WireHeader? {
        var text = HeaderText(bytes)
        guard text.skip("{\"") else { return nil }
        return switch bytes.dropFirst(2).first {
        case UInt8(ascii: "d"): text.delivery()
        case UInt8(ascii: "s"): text.settled()
        case UInt8(ascii: "r"): text.request() ?? text.reply()
        default: nil
        }
    }
}
