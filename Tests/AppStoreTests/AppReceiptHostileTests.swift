import AppStoreSigning
import Contracts
import Foundation
import Glibc
import Testing

@testable import AppStore

@Suite struct `Receipts that were written to harm` {
    /// Bytes of each of them.
    private static let size = 64 * 1_024
    /// What any of them may take; the fastest of a few runs counts, because other tests run beside it.
    private static let limit = Duration.milliseconds(100)

    struct Bomb: Sendable, CustomStringConvertible {
        let description: String
        let bytes: [UInt8]
    }

    private static func filled(with pattern: [UInt8]) -> [UInt8] {
        Array((0..<size / pattern.count).map { _ in pattern }.joined())
    }

    /// A receipt whose content is `content`.
    private static func envelope(_ content: [UInt8]) -> [UInt8] {
        AppReceiptSigner.unsigned(content: content)
    }

    private static func value(_ tag: UInt8, _ inside: [UInt8]) -> [UInt8] {
        [tag, 0x83, UInt8(inside.count >> 16), UInt8(inside.count >> 8 & 0xFF), UInt8(inside.count & 0xFF)]
            + inside
    }

    private static func nested(_ tag: UInt8, depth: Int) -> [UInt8] {
        var inside: [UInt8] = []
        for _ in 0..<depth { inside = value(tag, inside) }
        return inside
    }

    /// One field of a receipt, or of a purchase.
    private static func field(_ type: [UInt8], _ inside: [UInt8]) -> [UInt8] {
        value(0x30, [0x02, UInt8(type.count)] + type + [0x02, 0x01, 0x01] + value(0x04, inside))
    }

    private static let date = Array("2025-12-26T18:39:47.".utf8) + filled(with: [UInt8(ascii: "9")])

    static let bombs: [Bomb] = [
        Bomb(description: "zeros", bytes: filled(with: [0])),
        Bomb(description: "open sequences", bytes: filled(with: [0x30, 0x80])),
        Bomb(description: "open sequences in the content", bytes: envelope(filled(with: [0x30, 0x80]))),
        Bomb(description: "sequences within sequences", bytes: nested(0x30, depth: 10_000)),
        Bomb(description: "a set of sequences", bytes: envelope(nested(0x31, depth: 10_000))),
        Bomb(
            description: "lengths beyond the end",
            bytes: filled(with: [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF])
        ),
        Bomb(
            description: "lengths beyond 64 bits",
            bytes: [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8)
        ),
        Bomb(description: "lengths of 126 bytes", bytes: filled(with: [0x30, 0xFE])),
        Bomb(
            description: "empty parts",
            bytes: envelope([0x24, 0x80] + filled(with: [0x04, 0x00]) + [0, 0])
        ),
        Bomb(description: "open parts", bytes: envelope(filled(with: [0x24, 0x80]))),
        Bomb(description: "empty fields", bytes: envelope(value(0x31, filled(with: [0x30, 0x00])))),
        Bomb(
            description: "fields without end",
            bytes: envelope(
                value(0x31, filled(with: [0x30, 0x09, 0x02, 0x01, 0x63, 0x02, 0x01, 0x01, 0x04, 0x00]))
            )
        ),
        Bomb(
            description: "purchases that are empty",
            bytes: envelope(
                value(
                    0x31,
                    filled(with: [0x30, 0x0A, 0x02, 0x01, 0x11, 0x02, 0x01, 0x01, 0x04, 0x02, 0x31, 0x00])
                )
            )
        ),
        Bomb(
            description: "a date with a long fraction",
            bytes: envelope(value(0x31, field([0x0C], value(0x16, date))))
        ),
        Bomb(
            description: "a bundle id of 64 KiB",
            bytes: envelope(value(0x31, field([0x02], value(0x0C, filled(with: [0x61])))))
        ),
    ]

    @Test(arguments: bombs) func `are answered at once`(bomb: Bomb) {
        let verifier = AppReceiptVerifier()
        #expect(reason { try verifier.verify(bomb.bytes) } != nil)
        #expect(fastest(of: 5) { reason { try verifier.verify(bomb.bytes) } } < Self.limit)
        #expect(fastest(of: 5) { reason { try AppReceipt(unverified: bomb.bytes) } } < Self.limit)
        #expect(
            fastest(of: 5) { reason { try AppReceipt.transactionIDs(unverified: bomb.bytes) } } < Self.limit
        )
    }

    private func fastest<Answer>(of rounds: Int, _ body: () -> Answer) -> Duration {
        let durations = (0..<rounds).map { _ in
            let start = Self.processorTime()
            _ = body()
            return Self.processorTime() - start
        }
        return durations.min() ?? .zero
    }

    /// Of this thread: what other tests do does not lengthen it.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `are answered in time that grows as they do`() {
        let verifier = AppReceiptVerifier()
        let row: [UInt8] = [0x30, 0x09, 0x02, 0x01, 0x63, 0x02, 0x01, 0x01, 0x04, 0x00]
        func duration(_ rows: Int) -> Duration {
            let bytes = Self.envelope(Self.value(0x31, Array((0..<rows).map { _ in row }.joined())))
            return fastest(of: 7) { reason { try verifier.verify(bytes) } }
        }
        // Sixteen times the bytes: were it the square of them, it would take 256 times as long.
        #expect(duration(16_000) / duration(1_000) < 64)
    }

    @Test func `in Xcode's notation cut off anywhere are malformed`() throws {
        var style = ReceiptStyle()
        style.isIndefinite = true
        let signer = try AppReceiptSigner(style: style)
        let verifier = AppReceiptVerifier(extraRoots: [signer.rootDER])
        let bytes = try signer.sign(`An app receipt of Apple's shape`.receipt())
        _ = try verifier.verify(bytes)
        for count in bytes.indices {
            let cut = Array(bytes[..<count])
            if reason({ try verifier.verify(cut) }) != .malformed {
                Issue.record("taken with \(count) bytes")
            }
        }
        #expect(reason { try verifier.verify(bytes + [0]) } == .malformed)
    }

    @Test func `as transaction receipts are answered at once`() {
        let quotes = Data(Self.filled(with: [UInt8(ascii: "\"")])).base64EncodedString()
        for text in [
            quotes, String(repeating: " ", count: Self.size), String(repeating: "A", count: Self.size),
        ] {
            #expect(TransactionReceipt.transactionID(in: text) == nil)
            #expect(fastest(of: 5) { TransactionReceipt.transactionID(in: text) } < Self.limit)
        }
    }

    @Test func `go down as far as Xcode does, and a bit further`() throws {
        func open(_ depth: Int) -> [UInt8] {
            Array(repeating: [0x30, 0x80], count: depth).joined() + Array(repeating: 0, count: 2 * depth)
        }
        var reader = BERReader(open(BERReader.maximumDepth)[...])
        #expect(try reader.next().contents.count == 4 * (BERReader.maximumDepth - 1))
        #expect(reader.isAtEnd)
        var deeper = BERReader(open(BERReader.maximumDepth + 1)[...])
        #expect(reason { try deeper.next() } == .malformed)
    }

    static let numbers: [(contents: [UInt8], number: Int64)] = [
        ([0x00], 0), ([0x7F], 127), ([0xFF], -1), ([0x80], -128), ([0x00, 0x80], 128),
        ([0x00, 0x00, 0x01], 1),
        ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Int64.max),
    ]

    @Test(arguments: numbers)
    func `whole numbers are read with their sign`(contents: [UInt8], number: Int64) throws {
        var reader = BERReader(([0x02, UInt8(contents.count)] + contents)[...])
        #expect(try reader.next().integer == number)
    }

    @Test func `whole numbers of no or of nine octets are none`() throws {
        for contents in [[], [UInt8](repeating: 1, count: 9)] {
            var reader = BERReader(([0x02, UInt8(contents.count)] + contents)[...])
            #expect(try reader.next().integer == nil)
        }
    }

    @Test(
        arguments: [[0x1F, 0x01, 0x00], [0x00, 0x00], [0x04, 0x80], [0x30, 0x80, 0x00, 0x01], []] as [[UInt8]]
    )
    func `tags, ends and lengths that no receipt has are malformed`(bytes: [UInt8]) {
        #expect(
            reason {
                var reader = BERReader(bytes[...])
                return try reader.next()
            } == .malformed
        )
    }
}
