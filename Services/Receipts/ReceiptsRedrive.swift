import Contracts
import Database
import Delivery
import ReceiptsCore

/// Every current state once more, for a partition whose store was restored; receivers know transactions and orders by
/// their ids and facts by their `signedDate`.
extension ReceiptsService {
    /// Rows read at a time.
    private static let pageSize = 500

    func redrive(to target: PartitionAddress, in transaction: inout Transaction) throws {
        switch target.service {
        case .receipts, .notifications: try redriveSubmissions(to: target, in: &transaction)
        case .orders: try redriveClaims(to: target, in: &transaction)
        case .entitlements: break
        }
    }

    private func redriveSubmissions(to target: PartitionAddress, in transaction: inout Transaction) throws {
        let store = SubmissionStore(connection: transaction.connection)
        var last: ReceiptID?
        repeat {
            let page = try store.records(after: last, limit: Self.pageSize)
            for record in page { try redrive(record, to: target, in: &transaction) }
            last = page.last?.receiptID
        } while last != nil
    }

    /// To Notifications a submission travels its whole road again, because its verdict is spoken at the end of it.
    private func redrive(
        _ record: SubmissionRecord,
        to target: PartitionAddress,
        in transaction: inout Transaction
    ) throws {
        let reading = road.read(record, now: transaction.now)
        guard target.service == .receipts else {
            return try road.send(reading, of: record, in: &transaction)
        }
        for item in reading.admitted
        where item.facts.partition(of: transaction.partitions) == target.partition {
            try road.send(item, of: record, in: &transaction)
        }
    }

    private func redriveClaims(to target: PartitionAddress, in transaction: inout Transaction) throws {
        let store = ClaimStore(connection: transaction.connection)
        var last: TransactionKey?
        repeat {
            let page = try store.records(after: last, limit: Self.pageSize)
            for record in page { try redrive(record, to: target, in: &transaction) }
            last = page.last?.key
        } while last != nil
    }

    /// A proposal is asked again; a holder's order is proposed once more, so that Orders knows it as paid, and then told
    /// the facts.
    private func redrive(
        _ record: ClaimRecord,
        to target: PartitionAddress,
        in transaction: inout Transaction
    ) throws {
        let (claim, bundleID) = (record.claim, record.key.bundleID)
        var road = ClaimRoad(record)
        switch claim.state {
        case .proposed(let candidate):
            guard try candidate.shard(in: bundleID).isOf(target, transaction) else { return }
            try road.propose(candidate, claim.attempt, claim.proposer, in: &transaction)
        case .held(let holder):
            guard holder.order.shard.isOf(target, transaction) else { return }
            try road.propose(.order(holder.order), claim.attempt, nil, in: &transaction)
            try road.restate(holder, nil, in: &transaction)
        case .unclaimed, .orphan: return
        }
    }
}

extension TransactionFacts {
    fileprivate func partition(of count: Int) -> Int {
        Shard(bundleID: bundleId, originalTransactionID: originalTransactionId).partition(of: count)
    }
}

extension Shard {
    fileprivate func isOf(_ target: PartitionAddress, _ transaction: Transaction) -> Bool {
        partition(of: transaction.partitions) == target.partition
    }
}
