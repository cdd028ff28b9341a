import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

@Suite struct `an old receipt` {
    private typealias Harness = NotificationsHarness

    private func answers(_ harness: Harness, app: BundleID = BundleID.game) throws -> [EventType] {
        let question = ReceiptExpiredV1(bundleId: app, receiptId: Harness.receipt)
        #expect(try harness.handle(question, OnReceiptExpired().callAsFunction) == .applied)
        return harness.sent
    }

    @Test func `is said to be finished when every verdict on it is final, and not before`() throws {
        let harness = try Harness()
        #expect(try answers(harness).isEmpty, "it was never heard of")
        try harness.take(.accepted(["1", "2"]))
        #expect(try answers(harness).isEmpty)
        try harness.take(.changed("1"))
        #expect(try answers(harness).isEmpty)
        try harness.take(.conflict("2"))
        #expect(try answers(harness) == [ReceiptFinishedV1.type])
        #expect(try answers(harness) == [ReceiptFinishedV1.type], "twice is as once")
        #expect(try answers(harness, app: .otherApp).isEmpty)
    }

    @Test func `that was no payment is forgotten with its proof, and no other is`() throws {
        func isKnown(_ harness: Harness) throws -> Bool {
            let forgotten = ReceiptPurgedV1(bundleId: BundleID.game, receiptId: Harness.receipt)
            for _ in 0..<2 {
                #expect(try harness.handle(forgotten, OnReceiptPurged().callAsFunction) == .applied)
            }
            return try !harness.rows("SELECT 1 FROM verdict").isEmpty
        }
        let kinds: [(Harness.Message, isKept: Bool)] = [
            (.whole(.invalid, "malformed"), false), (.whole(.parked, "untrusted"), true),
            (.accepted(["1"]), true),
        ]
        for (message, isKept) in kinds {
            let harness = try Harness()
            try harness.take(message)
            #expect(try isKnown(harness) == isKept)
        }
    }
}
