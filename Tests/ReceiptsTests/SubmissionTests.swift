import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a submission` {
    let group = ReceiptsGroup()
    let home = ReceiptsGroup.partition(of: Sample.alice)

    init() { group.proofs.contents["one"] = .success([Sample.transaction("1")]) }

    @Test func `is kept with its proof, told to the phone's partition, and sent to its claim`() throws {
        let (outcome, sent) = try group.submit("one", by: Sample.alice, hint: "ORDER-1")
        let receipt = try #require(outcome.reply?.receiptId)
        #expect(receipt.shard == PartitionKey.buyer(Sample.alice, of: Sample.app).shard)
        let submission = Submission(
            receiptId: receipt,
            submitter: Sample.alice,
            orderId: "ORDER-1",
            isOnly: true
        )

        #expect(sent.map(\.to.service) == [.notifications, .receipts])
        #expect(sent[0].to.partition == home)
        #expect(sent[0].subject == "com.example.game/alice")
        let accepted = try #require(try sent.bodies(ReceiptAcceptedV1.self).first)
        #expect(accepted.submission == submission)
        #expect(accepted.transactions.map(\.verdict) == [.pending])

        #expect(sent[1].to.partition == ReceiptsGroup.partition(of: Sample.transaction("1")))
        #expect(sent[1].subject == "com.example.game/1")
        let verified = try #require(try sent.bodies(TransactionVerifiedV1.self).first)
        #expect(verified.transaction == Sample.transaction("1"))
        #expect(verified.submission == submission)

        let rows = try group.rows("SELECT proof, state FROM submission", partition: home)
        #expect(rows == [[.blob(Array("one".utf8)), "verified"]])
    }

    @Test func `verified as the transaction that it states is stored beside its claim`() throws {
        let signed = try transactionsElsewhere()[0]
        let original = TransactionID(unchecked: signed.originalTransactionId)
        group.proofs.contents["stated"] = .success([signed])
        let claim = ReceiptsGroup.partition(of: signed)
        let (outcome, sent) = try group.submit("stated", by: Sample.alice, stated: original)
        let receipt = try #require(outcome.reply?.receiptId)
        #expect(receipt.shard == PartitionKey.buyer(Sample.alice, of: Sample.app).shard)
        #expect(receipt.place == PartitionKey.chain(original, of: Sample.app).shard)
        #expect(sent.map(\.to) == [.init(.notifications, home), .init(.receipts, claim)])
        #expect(try group.submission(receipt, partition: claim).buyerID == Sample.alice)
        let finished = ReceiptFinishedV1(bundleId: Sample.app, receiptId: receipt)
        #expect(finished.route.owner(of: ReceiptsGroup.partitions)?.partition == claim)
        // Again it is found there, even if it would not be taken there now.
        group.proofs.contents["stated"] = nil
        let again = try group.submit("stated", by: Sample.alice, stated: original)
        #expect(again.outcome.reply?.receiptId == receipt)
        #expect(try group.rows("SELECT receipt_id FROM submission", partition: claim).count == 1)
        #expect(try group.rows("SELECT 1 FROM submission", partition: home).isEmpty)
    }

    @Test(arguments: ["other", "both", "parked", "forged"])
    func `that is not the transaction that it states leaves nothing there`(proof: String) throws {
        let signed = try transactionsElsewhere()[0]
        let foreign = signed.with(\.bundleId, "com.example.another")
        group.proofs.contents = [
            "other": .success([Sample.transaction("1")]),
            "both": .success([signed, Sample.transaction("1")]),
            "parked": .success([foreign]),
        ]
        let original = TransactionID(unchecked: signed.originalTransactionId)
        let (outcome, sent) = try group.submit(proof, by: Sample.alice, stated: original)
        #expect(outcome.reply == .askBuyersPartition)
        #expect(sent.isEmpty)
        #expect(try group.rows("SELECT 1 FROM submission", of: signed).isEmpty)
        let receipt = try #require(try group.submit(proof, by: Sample.alice).outcome.reply?.receiptId)
        #expect(receipt.place == receipt.shard)
    }

    @Test func `of two transactions reaches two other partitions, each once, in order of purchase`() throws {
        let elsewhere = try transactionsElsewhere()
        let (first, second) = (elsewhere[0], elsewhere[1])
        group.proofs.contents["both"] = .success([second, first])

        let (outcome, sent) = try group.submit("both", by: Sample.alice)
        let receipt = try #require(outcome.reply?.receiptId)
        let toClaims = sent.filter { $0.to.service == .receipts }
        #expect(Set(toClaims.map(\.to.partition) + [home]).count == 3)
        #expect(try toClaims.bodies(TransactionVerifiedV1.self).map(\.transaction) == [first, second])

        let proposals = try group.deliver(sent).bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.transaction.transactionId.rawValue) == [first, second].map(\.transactionId))
        #expect(proposals.allSatisfy { $0.submission?.receiptId == receipt })
        for signed in elsewhere {
            #expect(try group.record(signed).claim.state == .proposed(.caller(Sample.alice)))
        }
        let accepted = try #require(try sent.bodies(ReceiptAcceptedV1.self).first)
        #expect(accepted.transactions.map(\.transactionId.rawValue) == [first, second].map(\.transactionId))
    }

    @Test func `is told late only the first time: what is told again may take back what a phone waits on`()
        throws
    {
        let first = try group.submit("one", by: Sample.alice, request: EventID(unchecked: "r1")).sent
        let again = try group.submit("one", by: Sample.alice, request: EventID(unchecked: "r2")).sent
        let acceptances = [first, again].flatMap { $0.filter { $0.type == ReceiptAcceptedV1.type } }
        #expect(acceptances.map(\.isUrgent) == [false, true])
        #expect(try acceptances.bodies(ReceiptAcceptedV1.self).map(\.submission.isOnly) == [true, nil])
    }

    @Test func `handed in again travels again, a repeated request does not`() throws {
        let first = try group.submit("one", by: Sample.alice, request: EventID(unchecked: "r1"))
        let again = try group.submit("one", by: Sample.alice, request: EventID(unchecked: "r1"))
        #expect(again.sent.isEmpty)
        #expect(again.outcome.reply?.receiptId == first.outcome.reply?.receiptId)

        let later = try group.submit("one", by: Sample.alice, request: EventID(unchecked: "r2"))
        #expect(later.outcome.reply?.receiptId == first.outcome.reply?.receiptId)
        #expect(later.sent.map(\.type) == first.sent.map(\.type))
        #expect(try group.rows("SELECT receipt_id FROM submission", partition: home).count == 1)
    }

    @Test func `of another buyer is another one`() throws {
        let alice = try group.submit("one", by: Sample.alice).outcome.reply?.receiptId
        #expect(try group.submit("one", by: Sample.bob).outcome.reply?.receiptId != alice)
    }

    @Test func `that is no payment is answered so, and goes to no claim`() throws {
        let (outcome, sent) = try group.submit("garbage", by: Sample.alice)
        #expect(outcome.reply != nil)
        #expect(sent.map(\.to.service) == [.notifications])
        let accepted = try #require(try sent.bodies(ReceiptAcceptedV1.self).first)
        #expect(accepted.verdict == .invalid)
        #expect(accepted.reason == "malformed")
    }

    @Test func `with an endless order hint is taken without it`() throws {
        let hint = String(repeating: "9", count: 100_000)
        let sent = try group.submit("one", by: Sample.alice, hint: hint).sent
        #expect(try sent.bodies(TransactionVerifiedV1.self).first?.submission?.orderId == nil)
    }

    @Test func `is traced by its id to its transactions, and from them to the order`() throws {
        let (outcome, sent) = try group.submit("one", by: Sample.alice, request: EventID(unchecked: "r1"))
        let receipt = try #require(outcome.reply?.receiptId)
        _ = try group.deliver(sent)
        _ = try group.hold(Sample.transaction("1"))

        let taken = try group.trace(receipt.rawValue, partition: home)
        #expect(taken.entries.map(\.type) == ["counterfoil.receipt.submit.v1"])
        #expect(taken.entries.map(\.id) == ["r1"])
        #expect(taken.related == [receipt.rawValue, "1"])

        let claimed = try group.trace("1", partition: ReceiptsGroup.partition(of: Sample.transaction("1")))
        let types = ["counterfoil.transaction.verified.v1", "counterfoil.claim.held.v1"]
        #expect(claimed.entries.map(\.type) == types)
        #expect(claimed.entries.first?.causationid == "r1")
        #expect(claimed.related == ["1", receipt.rawValue, Sample.order.rawValue])
    }

    @Test func `that holds nothing yet takes the place of the buyer's last one like it`() throws {
        for text in ["empty 1", "empty 2"] { group.proofs.contents[text] = .success([]) }
        for text in ["empty 1", "empty 2", "empty 2"] {
            let sent = try group.submit(text, by: Sample.alice).sent
            #expect(try sent.bodies(ReceiptAcceptedV1.self).map(\.reason) == ["emptyReceipt"])
        }
        let rows = try group.rows("SELECT proof FROM submission", partition: home)
        #expect(rows == [[.blob(Array("empty 2".utf8))]])
    }

    /// Two purchases, the earlier first, whose partitions are neither each other's nor `home`.
    private func transactionsElsewhere() throws -> [SignedTransaction] {
        var found: [Int: SignedTransaction] = [:]
        for number in 1...100 {
            let signed = Sample.transaction("77\(number)", purchased: Int64(number))
            let partition = ReceiptsGroup.partition(of: signed)
            if partition != home, found[partition] == nil { found[partition] = signed }
        }
        let sorted = found.values.sorted { $0.purchaseDate < $1.purchaseDate }
        try #require(sorted.count >= 2)
        return Array(sorted.prefix(2))
    }
}
