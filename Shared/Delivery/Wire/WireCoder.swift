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

    /// A fast path for transfers and settlements as `encode` writes them; nil for any other header.
    private static func usual(_ bytes: [UInt8]) -> WireHeader? {
        var text = HeaderText(bytes)
        if text.skip("{\"transfer\":{\"link\":"), let link = text.number(), text.skip(",\"epoch\":"),
            let epoch = text.number(), text.skip(",\"sequence\":"), let sequence = text.number(),
            text.skip("}}"),
            text.isAtEnd
        {
            return WireHeader(.transfer(.init(link: link, epoch: epoch, sequence: sequence)))
        }
        text = HeaderText(bytes)
        guard text.skip("{\"settled\":{\"link\":"), let link = text.number(), text.skip(",\"epoch\":"),
            let epoch = text.number(), text.skip(",\"last\":"), let last = text.number(),
            text.skip(",\"credit\":"),
            let credit = text.number(), text.skip("}}"), text.isAtEnd
        else { return nil }
        return WireHeader(.settled(.init(link: link, epoch: epoch, last: last, credit: credit)))
    }
}

private struct HeaderText {
    /// So many digits always fit 64 bits.
    private static let mostDigits = 18

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for offset in 0..<count where bytes[position + offset] != literal.utf8Start[offset] { return false }
        position += count
        return true
    }

    mutating func number() -> UInt64? {
        let start = position
        var number: UInt64 = 0
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            guard position - start < Self.mostDigits else { return nil }
            number = number * 10 + UInt64(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        return position > start ? number : nil
    }
}
