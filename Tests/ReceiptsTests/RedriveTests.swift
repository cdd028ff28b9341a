import Contracts
import ReceiptsCore
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a redrive` {
    let group: ReceiptsGroup
    let signed = Sample.transaction("1")

    init() throws {
        group = try ReceiptsGroup()
        group.proofs.contents["one"] = .success([signed])
        let sent = try group.submit("one", by: Sample.alice).sent
        _ = try group.deliver(sent)
    }

    @Test func `asks Orders again what is proposed, under the same attempt`() throws {
        let sent = try redrive(
            from: ReceiptsGroup.partition(of: signed),
            to: PartitionAddress(.orders, ReceiptsGroup.partition(of: Sample.alice))
        )
        let proposals = try sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.candidate) == [.caller(Sample.alice)])
        #expect(proposals.map(\.attempt) == [1])
    }

    @Test func `tells Orders whose a held transaction is, and its facts`() throws {
        _ = try group.hold(signed, by: Sample.holder)
        let home = Sample.order.shard.partition(of: ReceiptsGroup.partitions)
        let partition = ReceiptsGroup.partition(of: signed)
        let sent = try redrive(from: partition, to: PartitionAddress(.orders, home))
        #expect(sent.map(\.type) == [ClaimProposedV1.type, TransactionRestatedV1.type])
        #expect(try sent.bodies(ClaimProposedV1.self).map(\.candidate) == [.order(Sample.order)])
        let elsewhere = PartitionAddress(.orders, (home + 1) % ReceiptsGroup.partitions)
        #expect(try redrive(from: partition, to: elsewhere).isEmpty)
    }

    @Test func `sends submissions to the claims of the target alone`() throws {
        let home = ReceiptsGroup.partition(of: Sample.alice)
        let target = ReceiptsGroup.partition(of: signed)
        let sent = try redrive(from: home, to: PartitionAddress(.receipts, target))
        #expect(sent.map(\.type) == [TransactionVerifiedV1.type])
        let elsewhere = PartitionAddress(.receipts, (target + 1) % ReceiptsGroup.partitions)
        #expect(try redrive(from: home, to: elsewhere).isEmpty)
    }

    @Test func `lets submissions travel again for Notifications`() throws {
        let home = ReceiptsGroup.partition(of: Sample.alice)
        let sent = try redrive(from: home, to: PartitionAddress(.notifications, home))
        #expect(sent.map(\.type) == [ReceiptAcceptedV1.type, TransactionVerifiedV1.type])
    }

    private func redrive(from partition: Int, to target: PartitionAddress) throws -> [OutgoingEvent] {
        let service = group.service
        return try group.run(partition) { try service.redrive(to: target, in: &$0) }.sent
    }
}
