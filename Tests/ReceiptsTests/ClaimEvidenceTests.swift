import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `the evidence by which a claim is held` {
    private static let bought = Sample.transaction("1")
    let group: ReceiptsGroup

    init() throws { group = try ReceiptsGroup() }

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
        _ = try group.verify(Self.bought, Sample.byAlice)
        _ = try group.hold(Self.bought, evidence: .token)
        #expect(try group.hold(Self.bought, attempt: 2, evidence: .known).outcome == .applied)
        #expect(try group.recall(Self.bought, by: Sample.holder, evidence: .known).outcome == .applied)
        #expect(try heldBy() == .token)
    }

    @Test func `comes back to a restored store`() throws {
        #expect(try group.recall(Self.bought, by: Sample.holder, evidence: .order).outcome == .applied)
        #expect(try heldBy() == .order)
    }

    @Test func `is none of a claim that is refused`() throws {
        _ = try group.verify(Self.bought, Sample.byAlice)
        _ = try group.refuse(Self.bought, .alreadyPaid, attempt: 1)
        #expect(try heldBy() == nil)
    }

    @Test func `is that of the next candidate where the named order was issued after the purchase`() throws {
        var named = Sample.byAlice
        named.orderId = Sample.order.rawValue
        let first = try group.verify(Self.bought, named).sent.bodies(ClaimProposedV1.self)
        #expect(first.map(\.candidate) == [.order(Sample.order)])
        let next = try group.refuse(Self.bought, .issuedAfter, attempt: 1).sent.bodies(ClaimProposedV1.self)
        #expect(next.map(\.candidate) == [.caller(Sample.alice)])
        _ = try group.hold(Self.bought, attempt: 2, evidence: .caller)
        #expect(try heldBy() == .caller)
    }

    @Test(arguments: ["held_by = NULL", "held_by = 'guess'"])
    func `is there of every held claim, and is one that is known`(change: String) throws {
        _ = try group.verify(Self.bought, Sample.byAlice)
        _ = try group.hold(Self.bought)
        #expect(throws: StoreError.self) {
            try group.run(ReceiptsGroup.partition(of: Self.bought)) {
                _ = try $0.connection.execute("UPDATE claim SET \(change)", [])
            }
        }
    }
}
