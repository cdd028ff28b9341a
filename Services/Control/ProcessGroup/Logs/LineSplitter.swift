struct LineSplitter {
    /// Maximum bytes of a line; longer ones are split.
    static let maximumLine = 64 << 10

    private var pending: [UInt8] = []

    mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || pending.count >= Self.maximumLine { lines.append(take()) }
            if byte != UInt8(ascii: "\n") { pending.append(byte) }
        }
        return lines
    }

    /// The unfinished line at the end of the stream, if any.
    mutating func finish() -> [String] { pending.isEmpty ? [] : [take()] }

    private mutating func take() -> String {
        defer { pending.removeAll(keepingCapacity: true) }
        return String(decoding: pending, as: UTF8.self)
    }
}
