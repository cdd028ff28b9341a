import Contracts
import TestKit
import Testing

@testable import Delivery

@Suite struct `a redrive` {
    let group = ReceiptsGroup()
    let signed = Sample.transaction("1")

    init() throws {
        group.proofs.contents["one"] = .success([signed])
        let sent = try group.submit("one", by: Sample.alice).sent
        _ = try group.deliver(sent)
    }

    @Test func `has something to say to every service to which Receipts has a link`() throws {
        let period = `a subscription's chain`.period(0, reason: "PURCHASE")
        let renewal = RenewalFacts(signedDate: Timestamp(milliseconds: 5))
        _ = try group.verify(period, Sample.byAlice, renewal: renewal)
        _ = try group.hold(period)
        let partitions = 0..<ReceiptsGroup.partitions
        for target in try #require(LinkKind.all[.receipts]).keys {
            let sent = try partitions.flatMap { from in
                try partitions.flatMap { try group.redrive(from: from, to: target, $0).sent }
            }
            #expect(!sent.isEmpty, "\(target)")
        }
    }

    @Test func `asks Orders again what is proposed, under the same attempt`() throws {
        let target = ReceiptsGroup.partition(of: Sample.alice)
        let sent = try group.redrive(from: ReceiptsGroup.partition(of: signed), to: .orders, target).sent
        let proposals = try sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.candidate) == [.caller(Sample.alice)])
        #expect(proposals.map(\.attempt) == [1])
    }

    @Test func `tells Orders whose a held transaction is, and its facts`() throws {
        _ = try group.hold(signed)
        let home = Sample.order.shard.partition(of: ReceiptsGroup.partitions)
        let partition = ReceiptsGroup.partition(of: signed)
        let sent = try group.redrive(from: partition, to: .orders, home).sent
        #expect(sent.map(\.type) == [ClaimProposedV1.type, TransactionUpdatedV1.type])
        #expect(try sent.candidates == [.order(Sample.order)])
        let other = (home + 1) % ReceiptsGroup.partitions
        #expect(try group.redrive(from: partition, to: .orders, other).sent.isEmpty)
    }

    @Test func `asks a partition of Orders again whether it holds what is looked up there`() throws {
        group.ownedSince = group.now
        let old = try #require(
            (2...100).lazy.map { Sample.transaction("\($0)", purchased: -3_600) }
                .first { ReceiptsGroup.partition(of: $0) == ReceiptsGroup.partition(of: signed) }
        )
        _ = try group.verify(old, Sample.byBob)
        let partition = ReceiptsGroup.partition(of: old)
        let sent = try group.redrive(from: partition, to: .orders, 0).sent
        let asked = try sent.bodies(ClaimLookupV1.self).map(\.transaction.transactionId.rawValue)
        #expect(asked == [old.transactionId])
        let attempt = try #require(try sent.bodies(ClaimLookupV1.self).first?.attempt)
        _ = try group.refuse(old, attempt: attempt)
        let answered = try group.redrive(from: partition, to: .orders, 0).sent
        #expect(try answered.bodies(ClaimLookupV1.self).isEmpty)
        let elsewhere = try group.redrive(from: partition, to: .orders, 1).sent
        #expect(try elsewhere.bodies(ClaimLookupV1.self).map(\.attempt) == [attempt + 1])
    }

    @Test func `goes from page to page through all claims and all submissions, and misses none`() throws {
        let partition = ReceiptsGroup.partition(of: Sample.alice)
        var proofs: [String] = []
        for number in 100..<350 {
            proofs.append("proof \(number)")
            group.proofs.contents["proof \(number)"] = .success([Sample.transaction("\(number)")])
            _ = try group.deliver(group.submit("proof \(number)", by: Sample.alice).sent)
        }
        let (sent, pages) = try group.redrive(from: partition, to: .notifications, partition)
        // The last one is of notifications, of which there are none.
        #expect(pages == 4)
        #expect(try sent.bodies(ReceiptAcceptedV1.self).count == proofs.count + 1)
        let claims = try group.rows("SELECT 1 FROM claim", partition: partition).count
        #expect(claims > 20)
    }

    @Test func `sends submissions to the claims of the target alone`() throws {
        let home = ReceiptsGroup.partition(of: Sample.alice)
        let target = ReceiptsGroup.partition(of: signed)
        let sent = try group.redrive(from: home, to: .receipts, target).sent
        #expect(sent.map(\.type) == [TransactionVerifiedV1.type])
        let other = (target + 1) % ReceiptsGroup.partitions
        #expect(try group.redrive(from: home, to: .receipts, other).sent.isEmpty)
    }

    @Test func `lets submissions travel again for Notifications`() throws {
        let home = ReceiptsGroup.partition(of: Sample.alice)
        let sent = try group.redrive(from: home, to: .notifications, home).sent
        #expect(sent.map(\.type) == [ReceiptAcceptedV1.type, TransactionVerifiedV1.type])
    }
}
