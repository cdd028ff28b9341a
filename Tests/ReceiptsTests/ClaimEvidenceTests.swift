import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `the evidence by which a claim is held` {
    private static let bought = Sample.transaction("1")
    let group = ReceiptsGroup()

    private func heldBy() throws -> HolderEvidence? { try group.record(Self.bought).claim.heldBy }

    private func traced() throws -> [HolderEvidence?] {
        try group.trace("1", partition: ReceiptsGroup.partition(of: Self.bought)).entries
            .filter { $0.type == ClaimHeldV1.type.rawValue }.map(\.evidence)
    }

    @Test(arguments: HolderEvidence.allCases)
    func `is what Orders says, and is told by trace`(evidence: HolderEvidence) throws {
        _ = try group.verify(Self.bought, Sample.byAlice)
        #expect(try heldBy() == nil)
        #expect(try traced().isEmpty)
        #expect(try group.hold(Self.bought, evidence: evidence).outcome == .applied)
        #expect(try heldBy() == evidence)
        #expect(try traced() == [evidence])
    }

    @Test func `stays the first one, whatever is said of the holder later`() throws {
        try group.verifyAndHold(Self.bought, evidence: .token)
        #expect(try group.hold(Self.bought, attempt: 2, evidence: .known).outcome == .applied)
        #expect(try group.recall(Self.bought, evidence: .known).outcome == .applied)
        #expect(try heldBy() == .token)
    }

    @Test func `comes back to a restored store`() throws {
        #expect(try group.recall(Self.bought, evidence: .order).outcome == .applied)
        #expect(try heldBy() == .order)
    }

    @Test func `is none of a claim that is refused`() throws {
        _ = try group.verify(Self.bought, Sample.byAlice)
        _ = try group.refuse(Self.bought, .alreadyPaid)
        #expect(try heldBy() == nil)
    }

    @Test func `is that of the next candidate where the named order was issued after the purchase`() throws {
        let named = Sample.byAlice.naming(Sample.order)
        #expect(try group.verify(Self.bought, named).sent.candidates == [.order(Sample.order)])
        #expect(try group.refuse(Self.bought, .issuedAfter).sent.candidates == [.caller(Sample.alice)])
        _ = try group.hold(Self.bought, attempt: 2, evidence: .caller)
        #expect(try heldBy() == .caller)
    }

    @Test(arguments: ["held_by = NULL", "held_by = 'guess'"])
    func `is there of every held claim, and is one that is known`(change: String) throws {
        try group.verifyAndHold(Self.bought)
        #expect(throws: StoreError.self) {
            try group.execute("UPDATE claim SET \(raw: change)", in: ReceiptsGroup.partition(of: Self.bought))
        }
    }
}
