/// Cuts a stream of bytes into lines.
struct LineSplitter {
    /// The longest line that is kept in one piece, in bytes.
    static let maximumLine = 64 << 10

    private var pending: [UInt8] = []

    /// The lines that these bytes complete.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || pending.count >= Self.maximumLine { lines.append(take()) }
            if byte != UInt8(ascii: "\n") { pending.append(byte) }
        }
        return lines
    }

    /// What is left at the end of the stream, if anything.
    mutating func finish() -> [String] { pending.isEmpty ? [] : [take()] }

    private mutating func take() -> String {
        defer { pending.removeAll(keepingCapacity: true) }
        return String(decoding: pending, as: UTF8.self)
    }
}
