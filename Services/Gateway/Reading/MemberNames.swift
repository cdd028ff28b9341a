import FoundationEssentials

/// What is wrong with the names of a body's own members, not those of values inside it.
struct MemberNames {
    /// Most names with escapes that are read; nobody writes one.
    private static let maximumEscaped = 64
    /// How much of a name an answer repeats.
    private static let shownBytes = 128

    /// The first known name that is there again.
    private(set) var repeated: String?
    /// The first name that is not known, as an answer repeats it.
    private(set) var unknown: String?
    private let known: [String]
    private var isSeen: [Bool]
    private var escaped = 0

    init(_ known: [String]) {
        self.known = known
        isSeen = Array(repeating: false, count: known.count)
    }

    /// A name comes, as it is between its quotation marks.
    mutating func note(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let name = text(of: bytes)
        // There are a dozen: hashing them takes longer than looking.
        if let place = known.firstIndex(of: name) {
            if isSeen[place] { repeated = repeated ?? name }
            isSeen[place] = true
        } else if unknown == nil {
            unknown = String(decoding: name.utf8.prefix(Self.shownBytes), as: UTF8.self)
        }
    }

    /// A name without its escapes.
    private mutating func text(of bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "\\")), escaped < Self.maximumEscaped else { return text }
        escaped += 1
        do {
            return try JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))
        } catch {
            return text
        }
    }
}
