/// Reads BER values (X.690 §8.1), including DER, one after the other.
///
/// SwiftASN1 first builds a tree of the whole: 320 MiB for a receipt of 6 MiB. This reader makes one pass for
/// each level that the caller reads, without recursion or allocation.
struct BERReader {
    /// Limit of nested indefinite lengths; Xcode writes five.
    static let maximumDepth = 32

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func next() throws(VerificationFailure) -> BERValue {
        let header = try self.header(at: position)
        guard header.tag != .endOfContents else { throw .malformedBER("an end without a beginning") }
        let start = position
        let end: Int
        if let length = header.length {
            end = header.contents + length
            position = end
        } else {
            guard header.tag.isConstructed else { throw .malformedBER("a bare value without a length") }
            end = try endOfContents(from: header.contents)
            position = end + 2
        }
        return BERValue(
            tag: header.tag,
            contents: bytes[header.contents..<end],
            encoding: bytes[start..<position]
        )
    }

    mutating func next(_ tag: BERTag) throws(VerificationFailure) -> BERValue {
        let value = try next()
        guard value.tag == tag else { throw .malformedBER("another type than expected") }
        return value
    }

    mutating func next(if tag: BERTag) throws(VerificationFailure) -> BERValue? {
        guard !isAtEnd, BERTag(rawValue: bytes[position]) == tag else { return nil }
        return try next()
    }

    func requireEnd() throws(VerificationFailure) {
        guard isAtEnd else { throw .malformedBER("bytes after the end") }
    }

    /// Where the contents of indefinite length that begin at `start` end.
    private func endOfContents(from start: Int) throws(VerificationFailure) -> Int {
        var open = 1
        var position = start
        while true {
            let header = try self.header(at: position)
            if header.tag == .endOfContents {
                guard header.length == 0 else { throw .malformedBER("an end that has contents") }
                open -= 1
                if open == 0 { return position }
                position = header.contents
            } else if let length = header.length {
                position = header.contents + length
            } else {
                open += 1
                guard open <= Self.maximumDepth else { throw .malformedBER("nested too deeply") }
                position = header.contents
            }
        }
    }

    private struct Header {
        let tag: BERTag
        let length: Int?
        let contents: Int
    }

    private func header(at start: Int) throws(VerificationFailure) -> Header {
        guard bytes.endIndex - start >= 2 else { throw .cutOffBER }
        let tag = BERTag(rawValue: bytes[start])
        guard !tag.isLong else { throw .malformedBER("a tag above 30") }
        let first = bytes[start + 1]
        var contents = start + 2
        guard first != 0x80 else { return Header(tag: tag, length: nil, contents: contents) }
        var length = UInt64(first)
        if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 8 else { throw .malformedBER("a length of \(count) bytes") }
            contents += count
            guard contents <= bytes.endIndex else { throw .cutOffBER }
            length = bytes[start + 2..<contents].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard length <= bytes.endIndex - contents else { throw .cutOffBER }
        return Header(tag: tag, length: Int(length), contents: contents)
    }
}

extension VerificationFailure {
    static let cutOffBER = malformedBER("cut off")

    static func malformedBER(_ what: String) -> VerificationFailure {
        VerificationFailure(.malformed, "the receipt's BER is malformed: \(what)")
    }
}
