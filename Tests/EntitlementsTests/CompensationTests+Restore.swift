import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// What a ledger that was put back from a backup learns again.
extension `Compensations in a ledger` {
    /// What Orders keeps of what was done last.
    private func kept() throws -> CompensationV1 {
        try harness.only(CompensationChangedV1.self).compensation
    }

    @discardableResult
    private func learn(_ kept: CompensationV1) throws -> [EntitlementChangedV1] {
        let handler = OnCompensationKept(catalog: harness.catalog)
        let message = CompensationKeptV1(compensation: kept)
        #expect(try harness.handle(message, handler.callAsFunction) == .applied)
        return try harness.sent.bodies(EntitlementChangedV1.self)
    }

    @Test(arguments: [true, false])
    func `are given once more by the same entries, and make room for the proof, whichever comes first`(
        isProofFirst: Bool
    ) throws {
        try give()
        let (kept, told) = (try kept(), try harness.only(EntitlementChangedV1.self))
        let restored = Self()
        if isProofFirst { try restored.prove() }
        let changes = try restored.learn(kept)
        #expect(changes.first?.entries.map(\.entryId) == told.entries.map(\.entryId))
        if !isProofFirst { try restored.prove() }
        #expect(try restored.harness.held() == "100" && restored.harness.audit().isEmpty)
        #expect(try restored.acts() == ["compensationRestored", "compensationMatched"])
        #expect(try restored.learn(kept).isEmpty)
    }

    @Test(arguments: [.known, nil] as [HolderEvidence?])
    func `make room for a parked proof that named their order, though Orders has lost that`(
        evidence: HolderEvidence?
    ) throws {
        try give()
        try prove(.facts(product: "never.heard"))
        try prove(.facts(product: "never.heard", signed: 200), because: evidence)
        harness.sell("never.heard", [.coins(5)])
        _ = try harness.retry()
        #expect(try harness.held() == "5" && harness.audit().isEmpty)
        #expect(try acts().last == "compensationMatched")
    }

    @Test func `make room when a report that has lost what the parked proof named is granted`()
        throws
    {
        try give()
        try prove(.facts(product: "never.heard"))
        harness.sell("never.heard", [.coins(5)])
        try prove(.facts(product: "never.heard", signed: 200), because: .known)
        #expect(try harness.held() == "5" && harness.audit().isEmpty)
    }

    @Test func `stay taken back, and are given to nobody again`() throws {
        try give()
        try decide(.reverse)
        let kept = try kept()
        let restored = Self()
        try restored.learn(kept)
        #expect(try restored.harness.held() == "0" && restored.harness.audit().isEmpty)
        #expect(try restored.learn(kept).isEmpty)
        #expect(try restored.decide(.confirm).refusal == .endedCompensation)
    }

    @Test func `are matched again when their purchase comes back`() throws {
        try give()
        try prove()
        let kept = try kept()
        #expect(kept.state == .matched)
        let restored = Self()
        _ = try restored.propose()
        try restored.learn(kept)
        #expect(try restored.harness.held() == "100")
        try restored.prove()
        #expect(try restored.harness.held() == "100" && restored.harness.audit().isEmpty)
    }

    @Test func `are kept by Orders from their confirmation on, and told again when it has lost them`() throws
    {
        _ = try propose()
        #expect(try harness.sent.bodies(CompensationChangedV1.self).isEmpty)
        try decide(.confirm)
        let changed = try harness.only(CompensationChangedV1.self)
        #expect(changed.compensation.state == .granted)
        var told: [CompensationChangedV1] = []
        for partition in 0..<harness.partitions {
            try harness.redrive(to: PartitionAddress(.orders, partition))
            told += try harness.sent.bodies(CompensationChangedV1.self)
        }
        #expect(told == [changed])
    }
}
