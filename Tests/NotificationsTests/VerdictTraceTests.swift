import Contracts
import TestKit
import Testing

@Suite struct `the story of a receipt` {
    private let harness = NotificationsHarness()
    private static let accepted = "\(ReceiptID.handedIn): \(ReceiptAcceptedV1.type.rawValue)"
    private static let changed = "\(ReceiptID.handedIn): \(EntitlementChangedV1.type.rawValue)"

    @Test func `keeps nothing beside the rows the first time`() throws {
        try harness.take(.accepted(["1"]))
        #expect(harness.recorded.isEmpty)
        try harness.take(.changed("1"))
        #expect(harness.recorded.isEmpty)
    }

    @Test func `keeps what came first, when the verdict was quicker than the acceptance`() throws {
        try harness.take(.changed("1"), .accepted(["1"]))
        #expect(harness.recorded == [Self.changed])
    }

    @Test func `has both in the rows, when a quicker verdict has made the submission known`() throws {
        try harness.take(.changed("1", to: .only), .accepted(["1"], of: .only))
        #expect(harness.recorded.isEmpty)
        let types = try harness.trace(ReceiptID.handedIn.rawValue).entries.map(\.type)
        #expect(Set(types) == [ReceiptAcceptedV1.type.rawValue, EntitlementChangedV1.type.rawValue])
        try harness.take(.accepted(["1"], of: .only))
        #expect(Set(harness.recorded) == [Self.accepted], "a second acceptance stands beside the first")
    }

    @Test func `keeps what happens when the proof is sent again`() throws {
        try harness.take(.accepted(["1"]), .changed("1"), .accepted(["1"]))
        #expect(Set(harness.recorded) == [Self.accepted])
        for _ in 0..<2 {
            try harness.take(.changed("1"))
            #expect(harness.recorded == [Self.changed])
        }
        let entries = try harness.trace(ReceiptID.handedIn.rawValue).entries
        #expect(entries.count == 2, "the first acceptance and the last verdict stand in the rows")
    }

    @Test func `is found by its events and by their causes`() throws {
        try harness.take(.accepted(["1"]), .changed("1"))
        for entry in try harness.trace(ReceiptID.handedIn.rawValue).entries {
            #expect(try harness.trace(entry.id).related == [ReceiptID.handedIn.rawValue])
        }
        try harness.tell("2")
        let webhook = try #require(try harness.trace("2").entries.first)
        #expect(try harness.trace(webhook.id).related == ["2"])
        #expect(try harness.trace(String(repeating: "9", count: 32)) == Trace())
    }
}
