import Foundation
import Testing

@testable import LoadGenerator
@testable import TestKit

@Suite struct `what is known of a phone with the kit` {
    private static func proof(_ text: String) -> Data { Data(#"{"signedTransaction":"\#(text)"}"#.utf8) }

    private static func answer(finish: Bool) -> VerdictAnswer {
        VerdictAnswer(receiptId: "r1", verdict: finish ? "granted" : "pending", finish: finish)
    }

    private static func watch() -> KitWatch {
        var watch = KitWatch(deaths: [])
        watch.pay(7, proof: "jws")
        return watch
    }

    @Test func `A finish is right once a 200 has said so, and too early before`() {
        var watch = Self.watch()
        #expect(watch.finish("7") == .tooEarly(7))
        #expect(!watch.isDone)
        #expect(watch.request("/v1/receipts?wait=5000", Self.proof("jws")) == 7)
        let isFirst = watch.answer(Self.answer(finish: true), status: 200, of: 7)
        #expect(isFirst)
        #expect(watch.finish("7") == .right(7))
        #expect(watch.isDone)
    }

    @Test(arguments: [(202, true), (200, false)])
    func `No other answer allows it`(status: Int, finish: Bool) {
        var watch = Self.watch()
        _ = watch.answer(Self.answer(finish: finish), status: status, of: 7)
        #expect(watch.finish("7") == .tooEarly(7))
    }

    @Test func `A receipt that is asked about is that of its payment`() {
        var watch = Self.watch()
        #expect(watch.request("/v1/receipts/r1?wait=20000", Data()) == nil)
        _ = watch.answer(Self.answer(finish: false), status: 202, of: 7)
        #expect(watch.request("/v1/receipts/r1?wait=20000", Data()) == 7)
        let isFirst = watch.answer(Self.answer(finish: true), status: 200, of: 7)
        #expect(!isFirst)
    }

    @Test func `What is sent must have been kept; an order, or a foreign proof, is no payment's`() {
        var watch = Self.watch()
        #expect(watch.request("/v1/orders", Self.proof("jws")) == nil)
        #expect(watch.request("/v1/receipts", Self.proof("other")) == nil)
        #expect(watch.sent.isEmpty)
        _ = watch.request("/v1/receipts", Self.proof("jws"))
        #expect(watch.sent == [7])
        #expect(watch.unfinished == [7])
    }

    @Test(arguments: ["8", "x"])
    func `What nobody paid is not finished`(id: String) {
        var watch = Self.watch()
        #expect(watch.finish(id) == .unknown)
    }

    @Test func `Each life ends where that was planned, and the last one does not`() {
        var watch = KitWatch(deaths: [.atPoint(2), .sending])
        #expect(watch.beginLife() == .atPoint(2))
        #expect([watch.dies(isSending: true), watch.dies()] == [false, true])
        watch.endLife()
        #expect(watch.beginLife() == .sending)
        #expect([watch.dies(), watch.dies(), watch.dies(isSending: true)] == [false, false, true])
        watch.endLife()
        #expect(watch.beginLife() == nil)
        let dies = watch.dies(isSending: true)
        #expect(!dies)
    }

    @Test func `Deaths are of every kind, equal for equal seeds, and others for others`() {
        func deaths(_ seed: UInt64) -> [[KitWatch.Death]] {
            (0..<200).map { ScriptGenerator(shares: .kit, seed: seed).deaths($0) }
        }
        #expect(deaths(1) == deaths(1) && deaths(1) != deaths(2))
        let all = deaths(1).flatMap(\.self)
        #expect(all.contains(.sending) && all.contains(.atPoint(1)))
        #expect(all.contains { if case .after = $0 { true } else { false } })
        #expect(deaths(1).contains([]))
    }
}
