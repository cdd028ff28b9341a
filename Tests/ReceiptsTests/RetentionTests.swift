import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `what is kept of proofs` {
    private static let day: Int64 = 86_400_000

    let group = ReceiptsGroup()
    let home = ReceiptsGroup.partition(of: Sample.alice)

    init() {
        group.proofs.contents["good"] = .success([Sample.transaction("1"), Sample.transaction("2")])
        group.proofs.contents["parked"] = .failure(.untrusted)
    }

    private let round = RetentionSweep(retention: ProofRetention())

    /// Whether Notifications says that every verdict is final.
    private func answer(_ events: [OutgoingEvent], isFinal: Bool) throws {
        for receipt in try events.bodies(ReceiptExpiredV1.self) where isFinal {
            let answer = ReceiptFinishedV1(bundleId: receipt.bundleId, receiptId: receipt.receiptId)
            for _ in 0..<2 { #expect(try group.finish(answer, partition: home).isEmpty) }
        }
    }

    /// Lets days pass, and does what is due then.
    private func pass(days: Int64, isFinal: Bool = true) throws -> Timestamp? {
        group.now = group.now.advanced(by: days * Self.day)
        for _ in 0..<100 {
            let due = try group.run(home) {
                try round.due($0.connection, now: $0.now, limit: 1, excluding: [])
            }.outcome
            guard let key = due.keys.first else { return due.next }
            let sent = try group.run(home) { try round.run(key, in: $0) }.sent
            #expect(sent.allSatisfy { $0.to == PartitionAddress(.notifications, home) })
            try answer(sent, isFinal: isFinal)
        }
        Issue.record("the rounds do not end")
        return nil
    }

    private func rows() throws -> [[Value]] {
        try group.rows("SELECT state, LENGTH(proof), size FROM submission ORDER BY state", partition: home)
    }

    @Test func `is the text for 400 days, and then digest and facts`() throws {
        let receipt = try #require(try group.submit("good", by: Sample.alice).outcome.reply?.receiptId)
        #expect(try pass(days: 399) == Sample.start.advanced(by: 400 * Self.day))
        #expect(try rows() == [["verified", 4, 4]])
        #expect(try pass(days: 1) == nil)
        #expect(try rows() == [["verified", 0, 0]])
        let record = try group.submission(receipt, partition: home)
        #expect(record.droppedDigest == Proof(kind: .signedTransaction, text: "good").digest)
        #expect(record.findings?.transactions.map(\.transactionId) == ["1", "2"])

        group.proofs.contents = [:]
        let again = try group.submit("good", by: Sample.alice)
        #expect(again.outcome.reply?.receiptId == receipt)
        #expect(try again.sent.bodies(TransactionVerifiedV1.self).count == 2, "by its facts")
        #expect(try rows() == [["verified", 0, 0]])
        let retried = try group.retry(RetryScope(receiptId: receipt), partition: home)
        #expect(try retried.sent.bodies(TransactionVerifiedV1.self).count == 2)
    }

    @Test func `is the text for as long as a verdict on it is not final`() throws {
        _ = try group.submit("good", by: Sample.alice)
        let next = try pass(days: 400, isFinal: false)
        #expect(next == group.now.advanced(by: 400 * Self.day))
        #expect(try rows() == [["verified", 4, 4]])
        #expect(try pass(days: 400) == nil)
        #expect(try rows() == [["verified", 0, 0]])
    }

    @Test func `is nothing of an invalid one after 30 days, and all of what somebody must decide`() throws {
        _ = try group.submit("garbage", by: Sample.alice)
        _ = try group.submit("parked", by: Sample.alice)
        #expect(try pass(days: 29) == Sample.start.advanced(by: 30 * Self.day))
        #expect(try rows() == [["invalid", 7, 7], ["parked", 6, 6]])
        #expect(try pass(days: 1) == nil)
        #expect(try rows() == [["parked", 6, 6]])
        #expect(try pass(days: 4_000) == nil)
        #expect(try rows() == [["parked", 6, 6]])
    }

    @Test func `of questions about Apple's orders is what Apple has named, and for 30 days what it has not`()
        throws
    {
        let count = RetentionSweep.maximumQuestions + 50
        let orders = (0..<count).map { AppleOrderID(unchecked: "MQ\(1_000 + $0)") }
        func known() throws -> [[Value]] {
            try group.rows("SELECT apple_order_id FROM apple_order", partition: home)
        }
        _ = try group.run(home) { context in
            let store = AppleOrderStore(connection: context.connection)
            for order in orders { try store.ask(order, of: Sample.app, now: context.now) }
            let facts = try #require(TransactionFacts(Sample.transaction("1")))
            try store.answer(orders[0], of: Sample.app, [facts], askedAt: context.now)
            for order in orders[1..<60] {
                try store.answer(order, of: Sample.app, [], askedAt: context.now)
            }
        }
        #expect(try pass(days: 29) == Sample.start.advanced(by: 30 * Self.day))
        #expect(try known().count == orders.count)
        _ = try group.run(home) {
            try AppleOrderStore(connection: $0.connection).ask(orders[1], of: Sample.app, now: $0.now)
        }
        #expect(try pass(days: 1) == Sample.start.advanced(by: 59 * Self.day), "one was asked again")
        #expect(try known() == [[.text(orders[0].rawValue)], [.text(orders[1].rawValue)]])
        #expect(try pass(days: 29) == nil)
        #expect(try known() == [[.text(orders[0].rawValue)]])
    }

    @Test func `of questions about Apple's orders is found by index`() throws {
        let plan = try group.plan(of: AppleOrderStore.oldest)
        #expect(plan.contains { $0.contains("INDEX apple_order_unknown") }, "\(plan)")
    }

    @Test func `leaves in rounds that are short, and all of it`() throws {
        for number in 0..<RetentionSweep.maximumProofs + 50 {
            group.proofs.contents["\(number)"] = .success([Sample.transaction("\(number)")])
            _ = try group.submit("\(number)", by: Sample.alice)
            _ = try group.submit("garbage \(number)", by: Sample.alice)
        }
        group.now = group.now.advanced(by: 400 * Self.day)
        let (first, sent) = try group.run(home) { context in
            try round.run(RetentionSweep.key, in: context)
            return context.workAt
        }
        #expect(try sent.bodies(ReceiptExpiredV1.self).count == RetentionSweep.maximumProofs)
        #expect(try sent.bodies(ReceiptPurgedV1.self).count == RetentionSweep.maximumProofs)
        try answer(sent, isFinal: true)
        #expect(first == group.now)
        #expect(try rows().count { $0[0] == "invalid" } == 50)
        #expect(try pass(days: 0) == nil)
        #expect(try rows() == Array(repeating: ["verified", 0, 0], count: 150))
    }

    @Test func `stays the text where it cannot be read any more, and is looked at another time`() throws {
        _ = try group.submit("good", by: Sample.alice)
        group.proofs.contents = [:]
        let next = try pass(days: 400)
        #expect(next == group.now.advanced(by: 400 * Self.day))
        #expect(try rows() == [["verified", 4, 4]])
    }

    @Test func `of what is not verified has room beside a thousand purchases`() throws {
        for number in 0..<SubmissionQuota.maximumCount {
            group.proofs.contents["\(number)"] = .success([Sample.transaction("7\(number)")])
            _ = try group.submit("\(number)", by: Sample.alice)
        }
        group.proofs.contents["parked"] = .failure(.untrusted)
        #expect(try group.submit("parked", by: Sample.alice).outcome.reply != nil)
        #expect(try rows().count == SubmissionQuota.maximumCount + 1)
    }

    @Test func `makes room by the oldest invalid ones, and a purchase that is news always has some`() throws {
        for number in 0..<SubmissionQuota.maximumCount {
            group.now = group.now.advanced(by: 1)
            let isParked = number.isMultiple(of: 2)
            group.proofs.contents["\(number)"] = .failure(isParked ? .untrusted : .malformed)
            _ = try group.submit("\(number)", by: Sample.alice)
        }
        let instead = try group.submit("parked", by: Sample.alice)
        #expect(instead.outcome.reply != nil)
        #expect(try instead.sent.bodies(ReceiptPurgedV1.self).count == 1)
        #expect(try rows().count == SubmissionQuota.maximumCount)
        let oldest = "SELECT receipt_id FROM submission WHERE proof = CAST('1' AS BLOB)"
        #expect(try group.rows(oldest, partition: home).isEmpty, "the oldest invalid one left")

        try group.execute("DELETE FROM submission WHERE state = 'invalid'", in: home)
        for number in 0..<600 {
            group.proofs.contents["p\(number)"] = .failure(.untrusted)
            _ = try group.submit("p\(number)", by: Sample.alice)
        }
        #expect(try rows().count == SubmissionQuota.maximumCount)
        group.proofs.contents["news"] = .success([Sample.transaction("9")])
        group.proofs.contents["known"] = .success([Sample.transaction("9")])
        #expect(try group.submit("news", by: Sample.alice).outcome.reply != nil)
        #expect(try rows().count == SubmissionQuota.maximumCount + 1)
        let told = try group.submit("known", by: Sample.alice)
        #expect(told.outcome.reply != nil)
        #expect(try told.sent.bodies(ReceiptAcceptedV1.self).count == 1)
        #expect(try rows().count == SubmissionQuota.maximumCount + 1)
        #expect(try group.submit("no payment", by: Sample.alice).outcome.refusal?.code == .busy)
        group.proofs.contents["p601"] = .failure(.untrusted)
        #expect(try group.submit("p601", by: Sample.alice).outcome.refusal?.code == .busy)
    }
}
