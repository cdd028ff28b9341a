import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Notifications

@Suite struct `an old receipt` {
    private typealias Harness = NotificationsHarness

    private func answers(_ harness: Harness, app: BundleID = Harness.bundle) throws -> [EventType] {
        let question = ReceiptExpiredV1(bundleId: app, receiptId: Harness.receipt)
        #expect(try harness.handle(question, OnReceiptExpired().callAsFunction) == .applied)
        return harness.sent
    }

    @Test func `is said to be settled when every verdict on it is final, and not before`() throws {
        let harness = try Harness()
        #expect(try answers(harness).isEmpty, "it was never heard of")
        try harness.take(.accepted(["1", "2"]))
        #expect(try answers(harness).isEmpty)
        try harness.take(.changed("1", .granted))
        #expect(try answers(harness).isEmpty)
        try harness.take(.judged("2", .conflict))
        #expect(try answers(harness) == [ReceiptSettledV1.type])
        #expect(try answers(harness) == [ReceiptSettledV1.type], "twice is as once")
        #expect(try answers(harness, app: BundleID(unchecked: "com.example.other")).isEmpty)
    }

    @Test func `that was no payment is forgotten with its proof, and no other is`() throws {
        func isKnown(_ harness: Harness) throws -> Bool {
            let forgotten = ReceiptPurgedV1(bundleId: Harness.bundle, receiptId: Harness.receipt)
            for _ in 0..<2 {
                #expect(try harness.handle(forgotten, OnReceiptPurged().callAsFunction) == .applied)
            }
            return try harness.transact { context in
                try VerdictStore(connection: context.connection).receipt(Harness.receipt) != nil
            }
        }
        let invalid = try Harness()
        try invalid.take(.whole(.invalid, "malformed"))
        #expect(try !isKnown(invalid))
        let parked = try Harness()
        try parked.take(.whole(.parked, "untrusted"))
        #expect(try isKnown(parked))
        let bought = try Harness()
        try bought.take(.accepted(["1"]))
        #expect(try isKnown(bought))
    }
}
