import Contracts
import TestKit
import Testing

@testable import Control

@Suite struct `names of purchases in an audit` {
    private static let now = Timestamp(milliseconds: 1_760_000_000_000)

    private static func row(
        _ home: String,
        name: String = "lineItem/70",
        in environment: Environment = .production
    ) -> NamesAuditPage.Row {
        NamesAuditPage.Row(
            name: name,
            environment: environment,
            bundleId: .game,
            homeId: TransactionID(unchecked: home)
        )
    }

    private static func claim(
        _ chain: String,
        _ place: NamesAuditPage.Place = .home,
        isHeld: Bool = true,
        ageMs: Int64? = nil,
        name: String = "lineItem/70",
        in environment: Environment = .production
    ) -> NamesAuditPage.Claim {
        NamesAuditPage.Claim(
            name: name,
            environment: environment,
            bundleId: .game,
            originalTransactionId: TransactionID(unchecked: chain),
            purchaseId: PurchaseID(unchecked: chain + ":70"),
            place: place,
            isHeld: isHeld,
            ageMs: ageMs
        )
    }

    private func laws(_ rows: [NamesAuditPage.Row], _ claims: [NamesAuditPage.Claim]) -> [String] {
        // Rows and claims are in different partitions.
        let pages =
            [NamesAuditPage(rows: rows, claims: [])] + claims.map { NamesAuditPage(rows: [], claims: [$0]) }
        return NameComparison(pages).differences.map(\.law)
    }

    @Test(arguments: [
        ([row("7")], [claim("7")]),
        ([row("7")], [claim("7", isHeld: false)]),
        ([row("7")], [claim("7"), claim("7")]),
        ([row("7")], [claim("7"), claim("9", .alias, isHeld: false)]),
        ([row("9")], [claim("7"), claim("9", .alias, isHeld: false)]),
        ([row("7")], [claim("7"), claim("9", .elsewhere, isHeld: false)]),
        ([row("7")], [claim("9", .asked, isHeld: false, ageMs: 60_000)]),
    ])
    func `agree with the claims that state them`(
        rows: [NamesAuditPage.Row],
        claims: [NamesAuditPage.Claim]
    ) {
        #expect(laws(rows, claims).isEmpty)
    }

    @Test(
        arguments: [
            ([row("7")], [claim("7"), claim("9", .elsewhere)]),
            ([row("7")], [claim("7"), claim("9")]),
            ([row("8")], [claim("7", isHeld: false)]),
            ([], [claim("7")]),
        ] as [([NamesAuditPage.Row], [NamesAuditPage.Claim])]
    )
    func `are broken where a payment may be held twice`(
        rows: [NamesAuditPage.Row],
        claims: [NamesAuditPage.Claim]
    ) {
        #expect(laws(rows, claims) == ["paymentIsHeldOnce"])
    }

    @Test func `are outstanding where nobody answers for over 60 s`() {
        let claims = [Self.claim("9", .asked, isHeld: false, ageMs: 60_001)]
        #expect(laws([Self.row("7")], claims) == ["isDoneInTime"])
    }

    @Test func `are told apart by app and environment`() {
        let rows = [Self.row("7"), Self.row("9", in: .sandbox)]
        #expect(laws(rows, [Self.claim("7"), Self.claim("9", in: .sandbox)]).isEmpty)
    }

    @Test func `are compared across partitions, page by page, and looked at again`() async throws {
        let group = ScriptedGroup()
        let other = "transaction/8"
        let rows = [Self.row("7"), Self.row("9", name: other)]
        let claims = [Self.claim("9", .elsewhere), Self.claim("9", name: other)]
        await group.audit(names: rows, at: PartitionAddress(.receipts, 0))
        await group.audit(claims: [Self.claim("7")], at: PartitionAddress(.receipts, 1))
        await group.audit(claims: claims, at: PartitionAddress(.receipts, 2))
        // What a ledger does not answer is missed, and nothing is looked at again.
        for partition in 0..<group.partitions {
            let ledger = [LedgerAuditV1(): LedgerAuditPage(count: 0, differences: [])]
            await group.audit(ledger, at: PartitionAddress(.entitlements, partition))
        }
        let report = try await AuditRound(group: group, now: { Self.now }).carryOut()
        #expect(report.missed.isEmpty && report.differences.map(\.law) == ["paymentIsHeldOnce"])
        #expect(report.differences.map(\.name) == ["lineItem/70"])
        #expect(report.text.contains("7:70 of 7; 9:70 of 9"))
        let again = await group.questions(NamesAuditV1.self).compactMap(\.names)
        #expect(again.contains([other]) && again.last == ["lineItem/70"])
        await group.audit(claims: [], at: PartitionAddress(.receipts, 2))
        #expect(try await AuditRound(group: group, now: { Self.now }).carryOut().differences.isEmpty)
    }
}
