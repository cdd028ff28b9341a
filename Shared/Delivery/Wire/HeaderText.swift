import Contracts

/// Reads and writes the usual headers: deliveries, settlements, requests, and replies without a refusal.
///
/// Nearly all messages have one of them, and their fixed form needs no general coder. Whatever else it meets is nil,
/// and goes to the general one.
struct HeaderText {
    /// So many digits always fit 64 bits.
    private static let mostDigits = 18

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Reading

    mutating func delivery() -> WireHeader? {
        guard skip("delivery\":{\"link\":"), let link = number(), skip(",\"epoch\":"), let epoch = number(),
            skip(",\"sequence\":"), let sequence = number(), skip("}}"), isAtEnd
        else { return nil }
        return WireHeader(.delivery(.init(link: link, epoch: epoch, sequence: sequence)))
    }

    mutating func settled() -> WireHeader? {
        guard skip("settled\":{\"link\":"), let link = number(), skip(",\"epoch\":"), let epoch = number(),
            skip(",\"last\":"), let last = number(), skip(",\"credit\":"), let credit = number(), skip("}}"),
            isAtEnd
        else { return nil }
        return WireHeader(.settled(.init(link: link, epoch: epoch, last: last, credit: credit)))
    }

    mutating func request() -> WireHeader? {
        guard skip("request\":{\"id\":\""), let id = identifier(), skip("\",\"to\":\""),
            let to = identifier().flatMap({ PartitionAddress($0) }), skip("\",\"within\":"),
            let within = number(), skip("}}"), isAtEnd
        else { return nil }
        return WireHeader(request: .init(id: id, to: to, within: Int64(within)))
    }

    mutating func reply() -> WireHeader? {
        guard skip("reply\":{\"id\":\""), let id = identifier(), skip("\"}}"), isAtEnd else { return nil }
        return WireHeader(reply: .init(id: id))
    }

    private var isAtEnd: Bool { position == bytes.count }

    /// Goes beyond the literal if it is next; stays where it is if not.
    mutating func skip(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for offset in 0..<count where bytes[position + offset] != literal.utf8Start[offset] { return false }
        position += count
        return true
    }

    private mutating func number() -> UInt64? {
        let start = position
        var number: UInt64 = 0
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            guard position - start < Self.mostDigits else { return nil }
            number = number * 10 + UInt64(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        // JSON has no number with zeros before it.
        let isPlain = position == start + 1 || position > start && bytes[start] != UInt8(ascii: "0")
        return isPlain ? number : nil
    }

    private mutating func identifier() -> String? {
        let start = position
        while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Whether a character stands for itself in JSON, and is ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    // MARK: Writing

    /// The text of a usual header, byte for byte as the general coder writes it; nil for any other.
    static func usual(_ header: WireHeader) -> [UInt8]? {
        if let delivery = header.delivery {
            let text = """
                {"delivery":{"link":\(delivery.link),"epoch":\(delivery.epoch),\
                "sequence":\(delivery.sequence)}}
                """
            return Array(text.utf8)
        }
        if let settled = header.settled {
            let place = "\"link\":\(settled.link),\"epoch\":\(settled.epoch)"
            return Array(
                "{\"settled\":{\(place),\"last\":\(settled.last),\"credit\":\(settled.credit)}}".utf8
            )
        }
        if let request = header.request, request.id.utf8.allSatisfy(isPlain) {
            let place = "\"id\":\"\(request.id)\",\"to\":\"\(request.to)\""
            return Array("{\"request\":{\(place),\"within\":\(request.within)}}".utf8)
        }
        if let reply = header.reply, reply.refused == nil, reply.isAstray == nil,
            reply.id.utf8.allSatisfy(isPlain)
        {
            return Array("{\"reply\":{\"id\":\"\(reply.id)\"}}".utf8)
        }
        return nil
    }
}
