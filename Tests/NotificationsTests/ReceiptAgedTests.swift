import Contracts
import Testing

@testable import Delivery
@testable import Notifications

@Suite struct `an old receipt` {
    private typealias Harness = NotificationsHarness

    private func answers(_ harness: Harness, app: BundleID = Harness.bundle) throws -> [EventType] {
        let question = ReceiptAgedV1(bundleId: app, receiptId: Harness.receipt)
        #expect(try harness.handle(question, OnReceiptAged().callAsFunction) == .applied)
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
}
