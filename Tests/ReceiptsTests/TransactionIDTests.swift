import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a transaction's id alone` {
    let group: ReceiptsGroup
    let apple: AskedApple
    let home = ReceiptsGroup.partition(of: Sample.alice)

    init() throws { (group, apple) = try ReceiptsGroup.asking() }

    private func hand(
        _ id: String = Sample.transaction().transactionId,
        naming order: OrderID? = nil
    ) throws -> [OutgoingEvent] {
        group.proofs.contents[id] = .failure(.unverified)
        return try group.submit(id, hint: order?.rawValue, kind: .transactionId).sent
    }

    private func state() throws -> [[Value]] {
        try group.rows("SELECT state, reason FROM submission", partition: home)
    }

    private func queries() throws -> [[Value]] {
        try group.rows("SELECT query_id FROM apple_query", partition: home)
    }

    @Test func `is pending until Apple answers, and then goes to its claim without its caller`() async throws
    {
        let transaction = Sample.transaction()
        apple.knows(transaction)
        for _ in 0..<2 {
            let accepted = try #require(try hand().bodies(ReceiptAcceptedV1.self).first)
            #expect((accepted.verdict, accepted.reason) == (.pending, "askingApple"))
        }
        #expect(try queries().count == 1)
        let asked = try await group.askApple(home)
        let verified = try #require(try asked.sent.bodies(TransactionVerifiedV1.self).first)
        #expect(verified.transaction.transactionId == transaction.transactionId)
        #expect(verified.submission?.isForAnother == true)
        let accepted = try #require(try asked.sent.bodies(ReceiptAcceptedV1.self).first)
        #expect(accepted.transactions.map(\.reason) == ["waitsForBuyer"])
        #expect(try state() == [["verified", .null]])
        #expect(try group.deliver(asked.sent).isEmpty, "nobody is proposed")
        #expect(try group.record(transaction).claim.state == .orphan)
        #expect(try queries().isEmpty)
    }

    @Test func `goes to whom the token names that Apple has signed`() async throws {
        apple.knows(Sample.transaction(token: Sample.token))
        _ = try hand()
        let proposed = try group.deliver(try await group.askApple(home).sent)
        #expect(try proposed.bodies(ClaimProposedV1.self).map(\.candidate) == [.token(Sample.token)])
    }

    @Test func `makes no order a candidate that is named with it, its caller's or another's`() async throws {
        apple.knows(Sample.transaction())
        for order in [Sample.order, Sample.otherOrder] { _ = try hand(naming: order) }
        let asked = try await group.askApple(home).sent
        let verified = try #require(try asked.bodies(TransactionVerifiedV1.self).first)
        #expect(verified.submission?.orderId == nil)
        #expect(try group.deliver(asked).isEmpty, "nobody is proposed")
        #expect(try group.record(Sample.transaction()).claim.state == .orphan)
        #expect(try group.deliver(try hand(naming: Sample.order)).isEmpty, "nor when it is handed in again")
        let proposed = try group.verify(Sample.transaction(), Sample.byBob).sent
        #expect(try proposed.bodies(ClaimProposedV1.self).map(\.candidate) == [.caller(Sample.bob)])
    }

    @Test func `takes no period from who has the subscription, and parks nobody, whatever order is named`()
        async throws
    {
        let period = HeldPurchase.period(3, "PURCHASE")
        apple.knows(period)
        _ = try group.recall(HeldPurchase.period(1, "PURCHASE"), by: Sample.otherHolder)
        _ = try group.verify(period)
        _ = try group.hold(period, by: Sample.otherHolder)
        _ = try hand(period.transactionId, naming: Sample.order)
        let sent = try await group.askApple(home).sent.bodies(TransactionVerifiedV1.self)
        let told = try #require(sent.first { $0.transaction.transactionId == period.transactionId })
        let judged = try group.verify(period, told.submission).sent
        #expect(try judged.challengers.isEmpty && judged.verdicts == [.conflict])
    }

    @Test(arguments: [[AppleAPI.serverAPI], [.serverAPI, .verifyReceipt]])
    func `that Apple does not know, asked again and again, is parked, and verifyReceipt is not asked`(
        apis: [AppleAPI]
    ) async throws {
        group.apple = try apple.settings(Set(apis))
        group.policies[Sample.app] = Sample.policy(apis: Set(apis))
        _ = try hand()
        for pause in [0] + AppleQuery.unknownPauses + [0, 0] {
            group.pass(pause, with: apple)
            try await group.askApple(home)
        }
        #expect(try state() == [["parked", "unknownToApple"]])
        #expect(!apple.calls.contains { $0.contains("verifyReceipt") })
        #expect(try queries().isEmpty)
    }

    @Test(arguments: [[], [AppleAPI.verifyReceipt]])
    func `is parked where nobody can be asked about it`(apis: [AppleAPI]) throws {
        group.apple = try apple.settings(Set(apis))
        group.policies[Sample.app] = Sample.policy(apis: Set(apis))
        _ = try hand()
        #expect(try state() == [["parked", "unverified"]])
        #expect(try queries().isEmpty)
    }

    @Test func `that is none is invalid, and Apple is not asked`() throws {
        group.proofs.contents["../7"] = .failure(.malformed)
        _ = try group.submit("../7", kind: .transactionId)
        #expect(try state() == [["invalid", "malformed"]])
        #expect(try queries().isEmpty)
    }

    @Test func `restores nothing`() async throws {
        apple.knows(Sample.transaction())
        let id = Sample.transaction().transactionId
        group.proofs.contents[id] = .failure(.unverified)
        _ = try group.submit(id, kind: .transactionId, intent: .restore)
        let verified = try await group.askApple(home).sent.bodies(TransactionVerifiedV1.self)
        #expect(verified.map(\.submission?.intent) == [nil])
    }
}
