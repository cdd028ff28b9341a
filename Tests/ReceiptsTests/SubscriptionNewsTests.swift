import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// What Entitlements is told of a subscription besides its periods.
@Suite struct `news of a subscription` {
    let group = ReceiptsGroup()

    private static let first = `a subscription's chain`.period(0, reason: "PURCHASE")
    private static let second = `a subscription's chain`.period(3, reason: "PURCHASE", token: Sample.token)

    private static func renewal(_ signed: Int64, retries: Bool = false) -> RenewalFacts {
        RenewalFacts(signedDate: Timestamp(milliseconds: signed), isInBillingRetryPeriod: retries)
    }

    /// What was told, as the buyer with the successor's id, or the signature of the renewal.
    private func told(_ events: [OutgoingEvent]) throws -> [String] {
        try events.bodies(SubscriptionUpdatedV1.self).map { news in
            #expect(news.originalTransactionId.rawValue == "1000")
            let words =
                [news.successor.map { "goes on with \($0.purchaseId)" }]
                + [news.renewal.map { "renewal of \($0.signedDate.milliseconds)" }]
            return ([news.buyerId.rawValue] + words.compactMap(\.self)).joined(separator: " ")
        }
    }

    private static let moved = "alice goes on with 1000:91003"

    /// Bob buys a later period, and has it.
    private func buySecond() throws -> [OutgoingEvent] {
        try group.verifyAndHold(Self.second, Sample.byBob, by: Sample.otherHolder)
    }

    @Test func `says nothing of a subscription that stays with one buyer`() throws {
        #expect(try told(group.verifyAndHold(Self.first)).isEmpty)
        #expect(try told(group.verifyAndHold(`a subscription's chain`.period(1), nil)).isEmpty)
        #expect(try told(group.verify(Sample.transaction("77"), Sample.byAlice).sent).isEmpty)
    }

    @Test func `tells the former holder with which period it goes on with another`() throws {
        try group.verifyAndHold(Self.first)
        #expect(try told(buySecond()) == [Self.moved])
    }

    @Test func `tells it too when the earlier period comes later`() throws {
        #expect(try told(buySecond()).isEmpty)
        #expect(try told(group.verifyAndHold(Self.first)) == [Self.moved])
    }

    @Test func `gives the holder of the last period what Apple said of the renewal, before and after it`()
        throws
    {
        #expect(try told(group.verify(Self.first, Sample.byAlice, renewal: Self.renewal(5)).sent).isEmpty)
        #expect(try told(group.hold(Self.first).sent) == ["alice renewal of 5"])
        #expect(try told(group.verify(Self.first, renewal: Self.renewal(7)).sent) == ["alice renewal of 7"])
        #expect(try told(group.verify(Self.first, renewal: Self.renewal(6)).sent).isEmpty, "it is older")
        #expect(try told(buySecond()) == [Self.moved, "bob renewal of 7"])
        #expect(try told(group.verify(Self.first, renewal: Self.renewal(9)).sent) == ["bob renewal of 9"])
    }

    @Test func `is told again to Entitlements when that was restored, and to nobody else`() throws {
        _ = try group.verify(Self.first, Sample.byAlice, renewal: Self.renewal(5))
        _ = try group.hold(Self.first)
        _ = try buySecond()
        let here = ReceiptsGroup.partition(of: Self.first)
        var all: Set<String> = []
        for target in 0..<ReceiptsGroup.partitions {
            let sent = try group.redrive(from: here, to: .entitlements, target).sent
            #expect(sent.allSatisfy { $0.to == PartitionAddress(.entitlements, target) })
            all.formUnion(try told(sent))
        }
        #expect(all == [Self.moved, "bob renewal of 5"])
    }

    /// What Orders and Entitlements are told of a subscription.
    private struct Told: Equatable {
        let proposed: [ClaimProposedV1]
        let updated: [TransactionUpdatedV1]
        let news: [SubscriptionUpdatedV1]
    }

    /// A life whose statements all come with this status.
    private func life(with status: Int?) throws -> Told {
        let renewal = Self.renewal(5, retries: true)
        var sent = try group.verify(Self.first, Sample.byAlice, renewal: renewal, status: status).sent
        sent += try group.hold(Self.first).sent
        let next = `a subscription's chain`.period(1)
        sent += try group.verify(next, renewal: Self.renewal(7), status: status).sent
        sent += try group.hold(next).sent
        var refunded = next
        refunded.signedDate += 1_000
        refunded.revocationDate = refunded.signedDate
        sent += try group.verify(refunded, renewal: Self.renewal(9), status: status).sent
        return Told(
            proposed: try sent.bodies(ClaimProposedV1.self),
            updated: try sent.bodies(TransactionUpdatedV1.self),
            news: try sent.bodies(SubscriptionUpdatedV1.self)
        )
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 9])
    func `is the same whatever status comes with it, which decides nothing of access`(status: Int) throws {
        let other = `news of a subscription`()
        for each in [group, other.group] { each.policies[Sample.app] = Sample.policy(apis: [.serverAPI]) }
        let (told, plain) = (try life(with: status), try other.life(with: nil))
        #expect(told == plain)
        #expect(told.proposed.count == 2 && !told.updated.isEmpty && !told.news.isEmpty)
    }

    @Test(arguments: [
        (1, 0, false, false), (1, 40, false, true), (1, 40, true, false), (2, 0, false, true),
        (2, 40, false, false), (3, 0, false, true), (3, 40, false, false), (4, 40, false, true),
        (5, 0, false, true), (5, 0, true, false), (9, 0, false, false),
    ])
    func `makes Receipts ask Apple where the status contradicts what was signed`(
        status: Int,
        day: Int64,
        isRevoked: Bool,
        isAsked: Bool
    ) throws {
        group.policies = [Sample.app: Sample.policy(apis: [.serverAPI])]
        var period = Self.first
        period.signedDate = period.purchaseDate + day * 86_400_000
        period.revocationDate = isRevoked ? period.signedDate : nil
        _ = try group.verify(period, Sample.byAlice, status: status)
        let queries = try group.rows("SELECT query_id FROM apple_query", of: period)
        #expect(queries.count == (isAsked ? 1 : 0))
    }
}
