import Contracts
import TestKit
import Testing

@testable import Control

@Suite struct `counterfoil audit` {
    private typealias Samples = `three services that say what they know of a purchase`
    private static let now = Timestamp(milliseconds: 1_760_000_000_000)
    private static let ada = ["com.example.game", "ada"]

    private static let difference = LedgerAuditPage.Difference(
        .balanceIsSum,
        bundleId: .game,
        buyerId: .ada,
        environment: .production,
        entitlement: "coins",
        expected: 100,
        found: 7
    )

    /// A clean group: purchases lie in a partition of each service, and in another one of Receipts.
    private let group = ScriptedGroup()

    init() async {
        for partition in 0..<group.partitions {
            let ids = (1...5).map { "\(partition)-\($0)" }
            let granted = ids.map { Samples.purchase(.granted, id: $0) }
            let other = (partition + 1) % group.partitions
            await group.audit(ids.map { Samples.purchase(id: $0) }, at: PartitionAddress(.receipts, other))
            await group.audit(granted, at: PartitionAddress(.orders, partition))
            await group.audit(granted, at: PartitionAddress(.entitlements, partition))
            await group.audit(Self.ledger([]), at: PartitionAddress(.entitlements, partition))
        }
    }

    /// Two pages of a ledger, the second with these differences.
    private static func ledger(
        _ differences: [LedgerAuditPage.Difference]
    ) -> [LedgerAuditV1: LedgerAuditPage] {
        let last = LedgerAuditPage(count: 3, differences: differences)
        return [
            LedgerAuditV1(): LedgerAuditPage(count: 10, differences: [], next: ada),
            LedgerAuditV1(after: ada): last,
        ]
    }

    private func audit() async throws -> AuditReport {
        try await AuditRound(group: group, now: { Self.now }).carryOut()
    }

    @Test func `compares every purchase and proves every ledger`() async throws {
        let report = try await audit()
        let clean =
            "audited: 52 entries, 20 held claims, 20 paid orders, 20 grants; 0 orphans; 0 differences"
        #expect(report.text == clean)
        #expect(report.missed.isEmpty && report.object.problems.isEmpty)
    }

    @Test func `asks for single purchases only where the sums differ`() async throws {
        _ = try await audit()
        #expect(await !group.questions(PurchasesAuditV1.self).contains { $0.isListed })
    }

    @Test func `names each difference that stays, once`() async throws {
        await group.audit(Self.ledger([Self.difference]), at: PartitionAddress(.entitlements, 1))
        await group.audit([Samples.purchase(.granted, id: "0-1")], at: PartitionAddress(.entitlements, 0))
        let report = try await audit()
        let ungranted = Array(repeating: "orderHasGrant", count: 4)
        #expect(report.differences.map(\.law) == ["balanceIsSum"] + ungranted)
        #expect(report.text.contains("balanceIsSum") && report.text.contains("ada"))
        #expect(report.text.hasSuffix("5 differences"))
        #expect(await group.pauses == AuditLookLimit.minimumLooks)
    }

    @Test func `does not name what is gone when it looks again, and looks at nothing else`() async throws {
        let address = PartitionAddress(.entitlements, 2)
        let all = (1...5).map { Samples.purchase(.granted, id: "2-\($0)") }
        await group.audit(Array(all.dropLast()), all, at: address)
        let other = PartitionAddress(.entitlements, 3)
        await group.audit(Self.ledger([Self.difference]), Self.ledger([]), at: other)
        let report = try await audit()
        #expect(report.differences.isEmpty)
        #expect(await group.pauses == 1)
        let again = await group.questions(PurchasesAuditV1.self).compactMap(\.purchaseIds)
        #expect(!again.isEmpty && again.allSatisfy { $0 == [PurchaseID(unchecked: "2-5")] })
        #expect(await group.questions(LedgerAuditV1.self).count == 9)
    }

    @Test func `waits as long as messages of the first look are under way`() async throws {
        let ages = (0..<20).map { Int64($0 + 1) * 250 + 100 }
        await group.audit([Samples.purchase(.granted, id: "0-1")], at: PartitionAddress(.entitlements, 0))
        await group.underWay(ages + [0], at: PartitionAddress(.orders, 3))
        _ = try await audit()
        #expect(await group.pauses == 20)
    }

    @Test func `names what is outstanding for over 60 s, with its age`() async throws {
        let event = DelayedEvent(
            eventId: "e-1",
            kind: .event,
            reason: "broken",
            time: Self.now.advanced(by: -61_000)
        )
        await group.audit(unsettledMs: 70_000, delayed: [event], at: PartitionAddress(.notifications, 1))
        await group.audit(unsettledMs: 59_000, at: PartitionAddress(.receipts, 1))
        let purchase = PurchaseID(unchecked: "0-1")
        var page = PurchasesAuditPage(count: 0, owners: 0, outcomes: 0)
        page.outstanding = [.init(purchase, .production, of: .game, for: nil, ageMs: 90_000)]
        page.orphans = 1
        await group.note(page, at: PartitionAddress(.receipts, 0))
        let report = try await audit()
        #expect(report.differences.map(\.law) == Array(repeating: "isDoneInTime", count: 3))
        #expect(report.differences.compactMap(\.ageMs).sorted() == [61_000, 70_000, 90_000])
        #expect(report.text.contains("an event is delayed for 61 s") && report.text.contains("e-1"))
        #expect(report.object.orphans > 0, "orphans are counted, and no differences")
    }

    @Test(arguments: [LedgerAuditV1.type, PurchasesAuditV1.type, PartitionStatusV1.type])
    func `says which partition did not answer`(type: EventType) async throws {
        await group.silence { Swift.type(of: $0).type == type }
        let report = try await audit()
        #expect(!report.missed.isEmpty)
        #expect(report.object.problems.count == 1 && report.differences.isEmpty)
    }
}
