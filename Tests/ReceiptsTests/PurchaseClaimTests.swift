import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// A castle bought once by `bought`, and the second id that it has on a second device.
@Suite struct `a purchase of several transactions` {
    static let first = castle("1", signed: 10)
    static let second = castle("2", signed: 20)
    let group = ReceiptsGroup()

    /// The castle under one of its ids.
    static func castle(_ id: String, signed: Int64, refunded: Bool = false) -> SignedTransaction {
        let type = "Non-Consumable"
        var castle = Sample.transaction(id, original: "1", type: type, signed: signed, refunded: refunded)
        castle.productId = "castle"
        castle.originalPurchaseDate = Sample.start.milliseconds
        return castle
    }

    /// The submission as the claim knows it, under the id that it handed in.
    private func named(_ submission: Submission, _ id: String = "2") -> Submission {
        submission.with(\.transactionId, TransactionID(unchecked: id))
    }

    private func count(_ table: String) throws -> Int {
        try group.rows("SELECT 1 FROM \(table)", of: Self.first).count
    }

    @Test(arguments: [[first, second], [second, first]])
    func `has one claim, whichever of them comes first`(arriving: [SignedTransaction]) throws {
        for signed in arriving { _ = try group.verify(signed) }
        #expect(try count("claim") == 1)
        let record = try group.record(Self.first)
        #expect(record.key.purchaseID.rawValue == "1")
        #expect(try group.record(Self.second) == record)
        #expect(record.claim.facts == ClaimFacts(signedDate: Sample.start.advanced(by: 20_000)))
    }

    @Test func `is a conflict for another login that restores it, under the id handed in`() throws {
        try group.verifyAndHold(Self.first)
        let sent = try group.verify(Self.second, Sample.byBob).sent
        #expect(try sent.verdicts == [.conflict])
        #expect(try sent.bodies(ClaimConflictedV1.self).map(\.transaction.transactionId.rawValue) == ["2"])
        #expect(try sent.bodies(ClaimProposedV1.self).isEmpty)
        let late = try group.verify(Self.first, Sample.byBob).sent
        #expect(try late.bodies(ClaimConflictedV1.self).map(\.transaction.transactionId.rawValue) == ["1"])
    }

    @Test func `is told to the ledger again when its holder restores it`() throws {
        try group.verifyAndHold(Self.first)
        let restated = try group.verify(Self.second, Sample.byAlice).sent.bodies(TransactionUpdatedV1.self)
        #expect(restated.map(\.submission) == [named(Sample.byAlice)])
        #expect(restated.map(\.transaction.purchaseId.rawValue) == ["1"])
        #expect(restated.map(\.buyerId) == [Sample.alice])
    }

    /// Signed later than the purchase, and at the same time.
    @Test(arguments: ["1", "2"], [Int64(30), 20])
    func `goes back with a refund of either id`(refunded: String, signed: Int64) throws {
        try group.verifyAndHold(Self.first)
        _ = try group.verify(Self.second, Sample.byAlice)
        let refund = Self.castle(refunded, signed: signed, refunded: true)
        let restated = try group.verify(refund).sent.bodies(TransactionUpdatedV1.self)
        #expect(restated.map(\.transaction.revocationDate) == [Sample.start])
        #expect(restated.map(\.transaction.purchaseId.rawValue) == ["1"])
        #expect(restated.map(\.orderId) == [Sample.order])
    }

    @Test(arguments: [("1", "2"), ("2", "1")])
    func `is refunded on a tie, whichever id says so`(refunded: String, bought: String) throws {
        _ = try group.verify(Self.castle(refunded, signed: 30, refunded: true))
        _ = try group.verify(Self.castle(bought, signed: 30), Sample.byAlice)
        #expect(try group.record(Self.first).claim.facts?.isRevoked == true)
    }

    @Test func `lets each id of one receipt wait for its own verdict`() throws {
        _ = try group.verify(Self.first, Sample.byBob)
        _ = try group.verify(Self.second, Sample.byBob)
        _ = try group.verify(Self.castle("3", signed: 5), Sample.byBob)
        #expect(try count("claim_waiter") == 2)
        let sent = try group.hold(Self.first).sent
        let conflicts = try sent.bodies(ClaimConflictedV1.self).map(\.transaction)
        #expect(Set(conflicts.map(\.transactionId.rawValue)) == ["1", "2", "3"])
        #expect(conflicts.count == 3)
    }

    @Test func `is found by every id that was seen, with its holder and order`() throws {
        try group.verifyAndHold(Self.first)
        _ = try group.verify(Self.second)
        let ask = ClaimsGetV1(
            bundleId: Sample.app,
            environment: .production,
            transactionIds: ["1", "2", "3"].map(TransactionID.init(unchecked:))
        )
        let partition = ReceiptsGroup.partition(of: Self.first)
        let reply = try group.handle(ask, in: partition, OnClaimsGet().callAsFunction).outcome.reply
        let claims = try #require(reply).claims
        #expect(claims.map(\.transactionId.rawValue) == ["1", "2"])
        #expect(claims.map(\.purchaseId.rawValue) == ["1", "1"])
        #expect(claims.map(\.state) == ["held", "held"])
        #expect(claims.map(\.buyerId) == [Sample.alice, Sample.alice])
        #expect(claims.map(\.orderId) == [Sample.order, Sample.order])
    }

    @Test(arguments: ["1", "2"]) func `is traced by either id`(id: String) throws {
        try group.verifyAndHold(Self.first)
        _ = try group.verify(Self.second)
        let trace = try group.trace(id, partition: ReceiptsGroup.partition(of: Self.first))
        #expect(trace.related.isSuperset(of: ["1", "2", Sample.order.rawValue]))
        #expect(trace.entries.first { $0.type == ClaimHeldV1.type.rawValue }?.evidence == .caller)
    }

    @Test func `keeps the first key, whatever a later statement would make of it`() throws {
        var legacy = Sample.transaction("8", original: "7", type: "Auto-Renewable Subscription")
        legacy.expiresDate = legacy.purchaseDate + 86_400_000
        let signed = legacy.with(\.webOrderLineItemId, "70").with(\.signedDate, legacy.signedDate + 1)
        let onAnotherDevice = signed.with(\.transactionId, "9")
        for statement in [legacy, signed, onAnotherDevice] { _ = try group.verify(statement) }
        let keys = try group.rows("SELECT purchase_id FROM claim", of: legacy)
        #expect(keys == [["8"]])
    }

    @Test func `keeps two periods of a chain apart`() throws {
        let period = Sample.transaction("8", original: "7", type: "Auto-Renewable Subscription")
        for (id, item) in [("8", "70"), ("9", "71"), ("10", "70")] {
            _ = try group.verify(period.with(\.transactionId, id).with(\.webOrderLineItemId, item))
        }
        let keys = try group.rows("SELECT purchase_id FROM claim ORDER BY 1", of: period)
        #expect(keys == [["7:70"], ["7:71"]])
    }

    @Test func `is looked up in Orders when its restore is younger than the store`() throws {
        let restored = Self.second.with(\.purchaseDate, Sample.start.milliseconds + 9_000_000)
        group.ownedSince = Sample.start.advanced(by: 5_000_000)
        group.now = Sample.start.advanced(by: 9_000_000)
        let sent = try group.verify(restored, Sample.byBob).sent
        #expect(sent.map(\.type) == Array(repeating: ClaimLookupV1.type, count: ReceiptsGroup.partitions))
    }

    @Test func `is proposed and sent again as what it is`() throws {
        _ = try group.verify(Self.second, Sample.byAlice)
        #expect(try group.verify(Self.castle("1", signed: 5)).sent.candidates.isEmpty)
        #expect(try group.record(Self.first).claim.proposer == named(Sample.byAlice))
        let again = try group.redrive(
            from: ReceiptsGroup.partition(of: Self.first),
            to: .orders,
            ReceiptsGroup.partition(of: Sample.alice)
        ).sent.bodies(ClaimProposedV1.self)
        #expect(again.map(\.transaction.purchaseId.rawValue) == ["1"])
        #expect(again.map(\.transaction.transactionId.rawValue) == ["2"])
        #expect(again.map(\.submission) == [named(Sample.byAlice)])
    }
}
