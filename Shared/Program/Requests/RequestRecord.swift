import Contracts

/// One answered request, as the ring file of a gateway has it: who asked for what, and what the answer was.
///
/// It has no body, no header and no query: no proof, token or key is in it.
package struct RequestRecord: Codable, Hashable, Sendable {
    /// Bytes of a record in the file, the line feed included.
    package static let bytes = 512
    private static let separator: UInt8 = UInt8(ascii: "\t")
    private static let fields = 13
    /// No gateway comes that far; what says more is no record.
    private static let maximumNumber: Int64 = 1 << 60

    /// Which one of its gateway: each is larger than those before.
    package var number: Int64
    /// Ms since 1970 when it was answered.
    package var time: Int64
    /// The answer's `Request-Id`.
    package var id: String
    package var method: String
    /// Without its query.
    package var path: String
    package var status: Int
    /// How long it took.
    package var milliseconds: Int64
    /// `key`, `phone` or `operator` and an id; empty of a stranger.
    package var caller: String = ""
    package var bundleId: String = ""
    package var buyerId: String = ""
    package var orderId: String = ""
    /// The stable word of a refusal, and the field that it names; empty where nothing was refused.
    package var code: String = ""
    package var field: String = ""

    package init(
        number: Int64,
        time: Int64,
        id: String,
        method: String,
        path: String,
        status: Int,
        milliseconds: Int64
    ) {
        (self.number, self.time, self.id, self.method) = (number, time, id, method)
        (self.path, self.status, self.milliseconds) = (path, status, milliseconds)
    }

    /// An order as records have it: an id of ours in one spelling, whatever the case in which a phone names it.
    static func order(_ text: String) -> String { cut(OrderID(rawValue: text)?.rawValue ?? text, 64) }

    /// A buyer as records have it.
    static func buyer(_ text: String) -> String { cut(text, 128) }

    /// Every field has its own bound, so that none takes another one's place: together they are less than a record.
    private static func cut(_ text: String, _ bytes: Int) -> String {
        text.utf8.count <= bytes ? text : String(decoding: text.utf8.prefix(bytes), as: UTF8.self)
    }

    /// Exactly `bytes` bytes: the fields between tabs, then spaces and a line feed; a path that is longer is cut.
    package var line: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(Self.bytes)
        let texts = [
            String(number), String(time), Self.cut(id, 36), Self.cut(method, 8), String(status),
            String(milliseconds), Self.cut(caller, 40), Self.cut(code, 32), Self.cut(field, 48),
            Self.cut(bundleId, 96), Self.order(orderId), Self.buyer(buyerId),
        ]
        for text in texts {
            Self.add(text.utf8[...], to: &line)
            line.append(Self.separator)
        }
        Self.add(path.utf8.prefix(max(0, Self.bytes - 1 - line.count)), to: &line)
        line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, Self.bytes - 1 - line.count)))
        line.removeSubrange((Self.bytes - 1)...)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Adds a field, which must not end another one.
    private static func add(_ text: Substring.UTF8View, to line: inout [UInt8]) {
        let start = line.count
        line.append(contentsOf: text)
        for place in start..<line.count where line[place] < 0x20 || line[place] == 0x7F {
            line[place] = UInt8(ascii: "?")
        }
    }

    /// The number of what `line` writes; nil of a record that was never written, or only in part.
    package static func number(of line: ArraySlice<UInt8>) -> Int64? {
        guard line.last == UInt8(ascii: "\n") else { return nil }
        var number: Int64 = 0
        for byte in line {
            guard byte != separator else { return number }
            guard (0x30...0x39).contains(byte), number < Self.maximumNumber / 10 else { return nil }
            number = number * 10 + Int64(byte - 0x30)
        }
        return nil
    }

    /// Reads what `line` writes; nil of a record that was never written, or only in part.
    package init?(line: some BidirectionalCollection<UInt8>) {
        guard line.last == UInt8(ascii: "\n") else { return nil }
        let parts = line.dropLast().split(separator: Self.separator, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count >= Self.fields - 1, let number = Int64(parts[0]), let time = Int64(parts[1]),
            let status = Int(parts[4]), let milliseconds = Int64(parts[5])
        else { return nil }
        let path = parts.count == Self.fields ? parts[12].trimmingSpaces : ""
        self.init(
            number: number,
            time: time,
            id: parts[2],
            method: parts[3],
            path: path,
            status: status,
            milliseconds: milliseconds
        )
        (caller, code, field, bundleId) = (parts[6], parts[7], parts[8], parts[9])
        (orderId, buyerId) = (parts[10], parts[11].trimmingSpaces)
    }
}

extension String {
    /// By bytes: a record has hundreds of spaces, and each takes long as a character.
    fileprivate var trimmingSpaces: String {
        guard let end = utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return "" }
        return String(self[...end])
    }
}
