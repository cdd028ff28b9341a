import AppStoreSigning
import Foundation
import Glibc
import Testing

@testable import AppStore

@Suite struct `Receipts that were written to harm` {
    /// Bytes of each of them.
    private static let size = 64 * 1_024
    /// What any of them may take; the fastest of a few runs counts, because other tests run beside it.
    private static let limit = Duration.milliseconds(100)

    private static func filled(with pattern: [UInt8]) -> [UInt8] {
        Array((0..<size / pattern.count).map { _ in pattern }.joined())
    }

    /// A receipt whose content is `content`.
    private static func envelope(_ content: [UInt8]) -> [UInt8] {
        AppReceiptSigner.unsigned(content: content)
    }

    private static func nested(_ tag: UInt8, depth: Int) -> [UInt8] {
        var inside: [UInt8] = []
        for _ in 0..<depth { inside = BER.value(tag, inside) }
        return inside
    }

    /// One field of a receipt, or of a purchase.
    private static func field(_ type: [UInt8], _ inside: [UInt8]) -> [UInt8] {
        BER.value(0x30, BER.value(0x02, type) + [0x02, 0x01, 0x01] + BER.value(0x04, inside))
    }

    private static let date = Array("2025-12-26T18:39:47.".utf8) + filled(with: [UInt8(ascii: "9")])

    static let bombs: [String: [UInt8]] = [
        "zeros": filled(with: [0]),
        "open sequences": filled(with: [0x30, 0x80]),
        "open sequences in the content": envelope(filled(with: [0x30, 0x80])),
        "sequences within sequences": nested(0x30, depth: 10_000),
        "a set of sequences": envelope(nested(0x31, depth: 10_000)),
        "lengths beyond the end": filled(with: [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]),
        "lengths beyond 64 bits": [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8),
        "lengths of 126 bytes": filled(with: [0x30, 0xFE]),
        "empty parts": envelope([0x24, 0x80] + filled(with: [0x04, 0x00]) + [0, 0]),
        "open parts": envelope(filled(with: [0x24, 0x80])),
        "empty fields": set(filled(with: [0x30, 0x00])),
        "fields without end": set(
            filled(with: [0x30, 0x09, 0x02, 0x01, 0x63, 0x02, 0x01, 0x01, 0x04, 0x00])
        ),
        "purchases that are empty": set(
            filled(with: [0x30, 0x0A, 0x02, 0x01, 0x11, 0x02, 0x01, 0x01, 0x04, 0x02, 0x31, 0x00])
        ),
        "a date with a long fraction": set(field([0x0C], BER.value(0x16, date))),
        "a bundle id of 64 KiB": set(field([0x02], BER.value(0x0C, filled(with: [0x61])))),
    ]

    private static func set(_ fields: [UInt8]) -> [UInt8] { envelope(BER.value(0x31, fields)) }

    @Test(arguments: bombs) func `are answered at once`(_: String, bytes: [UInt8]) {
        let verifier = AppReceiptVerifier()
        #expect(reason { try verifier.verify(bytes) } != nil)
        #expect(fastest(of: 5) { reason { try verifier.verify(bytes) } } < Self.limit)
        #expect(fastest(of: 5) { reason { try AppReceipt(unverified: bytes) } } < Self.limit)
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
            let bytes = Self.set(Array((0..<rows).map { _ in row }.joined()))
            return fastest(of: 7) { reason { try verifier.verify(bytes) } }
        }
        // Sixteen times the bytes: were it the square of them, it would take 256 times as long.
        #expect(duration(16_000) / duration(1_000) < 64)
    }

    @Test func `in Xcode's notation cut off anywhere are malformed`() throws {
        var style = ReceiptStyle()
        style.isIndefinite = true
        let signer = try AppReceiptSigner(style: style)
        let bytes = try signer.sign(`An app receipt of Apple's shape`.receipt())
        try signer.verifier.expectCutsAreMalformed(bytes)
        #expect(reason { try signer.verifier.verify(bytes + [0]) } == .malformed)
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
        var reader = BERReader(BER.value(0x02, contents)[...])
        #expect(try reader.next().integer == number)
        var longer = BERReader(([0x02, 0x83, 0, 0, UInt8(contents.count)] + contents)[...])
        #expect(try longer.next().integer == number)
    }

    @Test func `whole numbers of no or of nine octets are none`() throws {
        for contents in [[], [UInt8](repeating: 1, count: 9)] {
            var reader = BERReader(BER.value(0x02, contents)[...])
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
