import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Compensations that stand though their purchase is another buyer's, or nobody's.
extension `Compensations in a ledger` {
    private static let other = BuyerID(unchecked: "ada2")

    private func contested() throws -> [DeskPage.Row] {
        let question = DeskListV1(list: .held, before: nil, after: nil, limit: 9)
        let page = try #require(harness.handle(question, OnDeskList().callAsFunction).reply)
        #expect(try harness.gauge("compensations_contested") == Double(page.rows.count))
        return page.rows
    }

    @Test func `whose purchase Apple names and that is not the buyer's are listed, until it is, or they end`()
        throws
    {
        try give(basis: Self.appleOrder)
        #expect(try contested().isEmpty)
        try name()
        let row = try #require(try contested().first)
        #expect(row.kind == .contestedCompensation && row.proposalId == id() && row.buyerId == .ada)
        #expect(row.transactionIds == [TransactionID(unchecked: "1000")] && row.place.since == harness.now)
        harness.now = harness.now.advanced(by: 1_000)
        try name()
        #expect(try contested() == [row], "twice is once")
        try prove()
        #expect(try contested().isEmpty, "its purchase has taken its place")
    }

    @Test func `that are taken back are contested no more`() throws {
        try give(basis: Self.appleOrder)
        try name()
        _ = try decide(.reverse)
        #expect(try contested().isEmpty)
    }

    @Test func `are told once where Apple names a purchase only then that another buyer has`() throws {
        try give(basis: Self.appleOrder)
        try prove(by: Self.other)
        #expect(try contested().isEmpty && harness.alarms.isEmpty, "nobody knows that they are one")
        try name()
        #expect(harness.alarms.count == 1 && harness.alarms[0].contains("has come for another buyer"))
        #expect(try contested().map(\.proposalId) == [id()])
        try name()
        #expect(harness.alarms.isEmpty)
    }

    @Test func `on an order that another buyer's proof names are listed, too`() throws {
        try give()
        try prove(by: Self.other)
        #expect(harness.alarms.count == 1)
        #expect(try contested().map(\.orderId) == [OrderTerms.studio.orderId])
    }

    @Test func `that are only proposed, or that the buyer has beside a later purchase, are not`() throws {
        _ = try propose(basis: Self.appleOrder)
        try name()
        #expect(try contested().isEmpty)
        _ = try decide(.confirm)
        #expect(try contested().count == 1)
        let later = harness.now.advanced(by: Limits.clockToleranceMilliseconds + 1)
        try prove(.facts().with(\.purchaseDate, later).with(\.signedDate, later))
        #expect(try contested().isEmpty)
    }

    @Test func `are listed and counted by their index alone`() throws {
        let question = DeskListV1(list: .held, before: harness.now, after: nil, limit: 50)
        let (page, count) = try harness.database.write {
            (
                try $0.plan(of: ContestedCompensations.query(question)),
                try $0.plan(of: ContestedCompensations.count)
            )
        }
        #expect(
            page.count == 1 && page[0].contains("INDEX compensation_contested ((contested_at,"),
            "\(page)"
        )
        #expect(count.count == 1 && count[0].contains("compensation_contested"), "\(count)")
    }
}
