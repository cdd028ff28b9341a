import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

@Suite struct `an old receipt` {
    private func answers(_ harness: NotificationsHarness, app: BundleID = .game) throws -> [EventType] {
        let question = ReceiptExpiredV1(bundleId: app, receiptId: .handedIn)
        #expect(try harness.handle(question, OnReceiptExpired().callAsFunction) == .applied)
        return harness.sent
    }

    @Test func `is said to be finished when every verdict on it is final, and not before`() throws {
        let harness = NotificationsHarness()
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
        func isKnown(_ harness: NotificationsHarness) throws -> Bool {
            let forgotten = ReceiptPurgedV1(bundleId: BundleID.game, receiptId: .handedIn)
            for _ in 0..<2 {
                #expect(try harness.handle(forgotten, OnReceiptPurged().callAsFunction) == .applied)
            }
            return try !harness.rows("SELECT 1 FROM verdict").isEmpty
        }
        let kinds: [(NotificationsHarness.Message, isKept: Bool)] = [
            (.whole(.invalid, "malformed"), false), (.whole(.parked, "untrusted"), true),
            (.accepted(["1"]), true),
        ]
        for (message, isKept) in kinds {
            #expect(try isKnown(NotificationsHarness(having: [message])) == isKept)
        }
    }
}
