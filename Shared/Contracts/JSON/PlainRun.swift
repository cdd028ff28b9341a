/// The bytes at the beginning of a text that stand for themselves in a JSON string: no quote, no backslash and no
/// control character.
///
/// Most bytes of a message are in strings. Several at a time take a sixth of what one after the other takes.
package struct PlainRun: Hashable, Sendable {
    // Eight bytes each.
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let spaces: UInt64 = 0x2020_2020_2020_2020
    private static let quotes: UInt64 = 0x2222_2222_2222_2222
    private static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// How many there are.
    package let count: Int
    /// Whether all of them are ASCII.
    package let isASCII: Bool

    /// The run with which `bytes` begin.
    package init(_ bytes: UnsafeRawBufferPointer) {
        var (place, seen) = (0, UInt64(0))
        while bytes.count - place >= 32 {
            let (first, second) = (Self.word(bytes, place), Self.word(bytes, place + 8))
            let (third, fourth) = (Self.word(bytes, place + 16), Self.word(bytes, place + 24))
            let ends = Self.ends(first) | Self.ends(second) | Self.ends(third) | Self.ends(fourth)
            guard ends & Self.highBits == 0 else { break }
            seen |= first | second | third | fourth
            place += 32
        }
        while bytes.count - place >= 8 {
            let word = Self.word(bytes, place)
            guard Self.ends(word) & Self.highBits == 0 else { break }
            seen |= word
            place += 8
        }
        while place < bytes.count, Self.isPlain(bytes[place]) {
            seen |= UInt64(bytes[place])
            place += 1
        }
        count = place
        isASCII = seen & Self.highBits == 0
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Has a high bit set if, and only if, one of eight bytes is not plain.
    ///
    /// A byte is less than n if taking n away borrows and its own high bit is not set; one that is equal to another is
    /// less than 1 after an exclusive or. A borrow may mark the bytes above such a one, too.
    @inline(__always)
    private static func ends(_ word: UInt64) -> UInt64 {
        let (quote, backslash) = (word ^ quotes, word ^ backslashes)
        return (word &- spaces) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    }
}
