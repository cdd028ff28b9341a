import Contracts
import Delivery
import Testing

@testable import Control

@Suite struct `counterfoil audit` {
    private static let difference = LedgerAuditPage.Difference(
        .balanceIsSum,
        bundleId: BundleID(unchecked: "com.example.game"),
        buyerId: BuyerID(unchecked: "ada"),
        environment: .production,
        entitlement: "coins",
        expected: 100,
        found: 7
    )

    /// A group whose partitions have these pages, one of them two of its balances.
    private static func group(_ differences: [LedgerAuditPage.Difference]) async -> ScriptedGroup {
        let group = ScriptedGroup()
        for partition in 0..<group.partitions {
            let next = partition == 1 ? ["com.example.game", "ada"] : nil
            await group.audit(
                [
                    LedgerAuditV1(.balances): LedgerAuditPage(count: 10, differences: [], next: next),
                    LedgerAuditV1(.balances, after: ["com.example.game", "ada"]): LedgerAuditPage(
                        count: 3,
                        differences: differences
                    ),
                    LedgerAuditV1(.grants): LedgerAuditPage(count: 5, differences: []),
                ],
                at: PartitionAddress(.entitlements, partition)
            )
        }
        return group
    }

    @Test func `asks every partition for every page and adds up what they prove`() async throws {
        let report = try await AuditRound(group: await Self.group([])).carryOut()
        #expect(report.text == "audited: 43 entries, 20 purchases; 0 differences")
        #expect(report.missed.isEmpty && report.object.problems.isEmpty)
    }

    @Test func `names each difference`() async throws {
        let report = try await AuditRound(group: await Self.group([Self.difference])).carryOut()
        #expect(report.differences == [Self.difference])
        #expect(report.text.contains("balanceIsSum") && report.text.contains("ada"))
        #expect(report.text.hasSuffix("1 differences"))
    }

    @Test func `says which partition did not answer`() async throws {
        let group = await Self.group([])
        await group.silence { ($0 as? LedgerAuditV1)?.part == .grants }
        let report = try await AuditRound(group: group).carryOut()
        #expect(report.missed.failures.count == 4 && report.purchases == 0)
        #expect(report.object.problems.count == 1)
    }
}
