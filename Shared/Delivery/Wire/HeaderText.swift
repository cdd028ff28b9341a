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
        var text = WrittenHeader()
        if let delivery = header.delivery {
            text.add("{\"delivery\":{\"link\":", delivery.link)
            text.add(",\"epoch\":", delivery.epoch)
            text.add(",\"sequence\":", delivery.sequence)
            return text.end("}}")
        }
        if let settled = header.settled {
            text.add("{\"settled\":{\"link\":", settled.link)
            text.add(",\"epoch\":", settled.epoch)
            text.add(",\"last\":", settled.last)
            text.add(",\"credit\":", settled.credit)
            return text.end("}}")
        }
        if let request = header.request, isPlain(request.id) {
            text.add("{\"request\":{\"id\":\"", request.id)
            text.add("\",\"to\":\"/", request.to.service.rawValue)
            text.add("/", request.to.partition)
            text.add("\",\"within\":", request.within)
            return text.end("}}")
        }
        if let reply = header.reply, reply.refused == nil, reply.isAstray == nil, isPlain(reply.id) {
            text.add("{\"reply\":{\"id\":\"", reply.id)
            return text.end("\"}}")
        }
        return nil
    }

    private static func isPlain(_ text: String) -> Bool { text.withBytes { $0.allSatisfy(isPlain) } }
}

/// A header that is being written, without the texts that interpolation would make of its parts.
private struct WrittenHeader {
    private static let usualBytes = 128

    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(Self.usualBytes) }

    mutating func add(_ literal: StaticString, _ value: String) {
        add(literal)
        value.withBytes { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ literal: StaticString, _ number: some BinaryInteger) { add(literal, String(number)) }

    mutating func end(_ literal: StaticString) -> [UInt8] {
        add(literal)
        return bytes
    }

    private mutating func add(_ literal: StaticString) {
        let text = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        bytes.append(contentsOf: text)
    }
}
