import Contracts
import Testing

@testable import Delivery

/// What a partition says to a request that it does not handle.
@Suite struct EngineRefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let promise: String
        let body: @Sendable (EnginePair) throws -> [UInt8]
        let says: String

        init(_ promise: String, says: String, _ body: @escaping @Sendable (EnginePair) throws -> [UInt8]) {
            (self.promise, self.says, self.body) = (promise, says, body)
        }

        var testDescription: String { promise }
    }

    /// The bytes of a request, with one part of them replaced.
    private static func said(_ pair: EnginePair, _ part: String, replacedBy other: String) throws -> [UInt8] {
        let request = SayV1(to: .receipts, texts: [])
        let text = String(decoding: try pair.event(request), as: UTF8.self)
        #expect(text.contains(part))
        return Array(text.replacing(part, with: other).utf8)
    }

    private static let cases = [
        Case(
            "a mistyped request is answered with those that are known, the nearest first",
            says: "orders knows no request test.sya.v1; nearest first, it knows test.say.v1, "
        ) { try said($0, "test.say.v1", replacedBy: "test.sya.v1") },
        Case("an event that is sent as a request is told so", says: "test.note.v1 is an event") {
            try $0.event(NoteV1(text: "1"))
        },
        Case(
            "a request without its data is told so",
            says: "test.say.v1: data.texts is missing"
        ) { try said($0, #""texts""#, replacedBy: #""other""#) },
        Case("a request that nobody handles is refused", says: "orders knows no request test.note.v2") {
            try $0.event(NoteV2(text: "?"))
        },
        Case("bytes that are no request are refused", says: "not JSON") { _ in Array("garbage".utf8) },
    ]

    @Test(arguments: cases)
    func `what is no request of this service is refused with the reason, and leaves no trace`(
        _ row: Case
    ) throws {
        let pair = try EnginePair()
        let header = WireHeader(request: .init(id: "q", to: pair.orders.address, within: 1_000))
        let message = WireMessage(header, body: [try row.body(pair)])
        let output = try pair.orders.engine.handle(message.inputs(from: [1]), at: pair.clock)
        let refusal = try #require(output.replies.first?.message.header.reply?.refused)
        #expect(output.replies.count == 1)
        #expect(refusal.code == .unknown)
        #expect(refusal.detail.hasPrefix(row.says), "\(refusal.detail)")
        if row.says.contains("nearest") {
            #expect(refusal.detail.contains("counterfoil.partition.status.v1"))
        }
        #expect(try pair.orders.texts().isEmpty)
        #expect(try pair.orders.count("dead_letter") == 0)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("a.b", "a.b", 0),
    ])
    func `the distance of two words is the number of changes`(one: String, other: String, distance: Int) {
        #expect(one.editDistance(to: other) == distance)
        #expect(other.editDistance(to: one) == distance)
    }
}
