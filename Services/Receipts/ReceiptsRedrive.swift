import Contracts
import Database
import Delivery
import Domain
import ReceiptsCore

/// Every current state once more, for a partition whose store was restored; receivers know purchases and orders by
/// their ids and facts by their `signedDate`.
extension ReceiptsService {
    /// Claims of one page.
    private static let claimsOfPage = 500
    /// Submissions, or notifications, of one page; each proof is read again, and may be large.
    private static let submissionsOfPage = 100
    /// Bytes of the proofs of one page, or one proof: reading must not outlast the heartbeat.
    private static let bytesOfPage = 4 << 20
    /// A key with so many columns is a notification's; the first column is empty.
    private static let notificationKeyColumns = 2
    private static let firstNotification = ["", ""]

    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: inout HandlerContext
    ) throws -> RedrivePage {
        switch target.service {
        case .receipts where key.count == Self.notificationKeyColumns:
            try redriveNotifications(to: target, after: key, in: &context)
        case .receipts:
            try redriveSubmissions(to: target, after: key, in: &context).followed(
                by: Self.firstNotification
            )
        case .notifications: try redriveSubmissions(to: target, after: key, in: &context)
        case .orders: try redriveClaims(to: target, after: key, in: &context)
        case .entitlements: .none
        }
    }

    private func redriveNotifications(
        to target: PartitionAddress,
        after key: [String],
        in context: inout HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.submissionsOfPage
        let page = try NotificationStore(connection: context.connection)
            .told(after: key.last ?? "", limit: limit)
        for record in page { try notifications.redrive(record, to: target, in: &context) }
        return RedrivePage(page.map { ["", $0.identifier] }, limit: limit)
    }

    private func redriveSubmissions(
        to target: PartitionAddress,
        after key: [String],
        in context: inout HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.submissionsOfPage
        let page = try SubmissionStore(connection: context.connection)
            .records(
                after: key.first.map(ReceiptID.init(unchecked:)),
                limit: limit,
                bytes: Self.bytesOfPage
            )
        for record in page.records { try redrive(record, to: target, in: &context) }
        return RedrivePage(
            rows: page.records.count,
            next: page.isLast ? [] : page.records.last.map { [$0.receiptID.rawValue] } ?? []
        )
    }

    /// To Notifications a submission travels its whole road again, because its verdict is spoken at the end of it.
    private func redrive(
        _ record: SubmissionRecord,
        to target: PartitionAddress,
        in context: inout HandlerContext
    ) throws {
        let reading = road.read(record, now: context.now)
        guard target.service == .receipts else {
            return try road.send(reading, of: record, in: &context)
        }
        for item in reading.admitted
        where item.facts.chainKey.shard.isOf(target, context) {
            try road.send(item, of: record, in: &context)
        }
    }

    private func redriveClaims(
        to target: PartitionAddress,
        after key: [String],
        in context: inout HandlerContext
    ) throws -> RedrivePage {
        let limit = Self.claimsOfPage
        let page = try ClaimStore(connection: context.connection)
            .records(after: try PurchaseKey(columns: key), limit: limit)
        for record in page { try redrive(record, to: target, in: &context) }
        return RedrivePage(page.map(\.key.columns), limit: limit)
    }

    /// What was asked is asked again; a holder's order is proposed once more, so that Orders knows it as paid, and then
    /// told the facts.
    private func redrive(
        _ record: ClaimRecord,
        to target: PartitionAddress,
        in context: inout HandlerContext
    ) throws {
        let (claim, bundleID) = (record.claim, record.key.bundleID)
        var road = ClaimRoad(record)
        switch claim.state {
        case .sought(let open):
            for question in open where question.partition == target.partition {
                try road.seek(in: question.partition, question.attempt, claim.proposer, in: &context)
            }
        case .proposed(let candidate):
            guard candidate.partitionKey(in: bundleID)?.shard.isOf(target, context) == true else { return }
            try road.propose(candidate, claim.attempt, claim.proposer, in: &context)
        case .held(let holder):
            guard holder.order.shard.isOf(target, context) else { return }
            try road.propose(.order(holder.order), claim.attempt, nil, in: &context)
            try road.restate(holder, nil, in: &context)
        case .unclaimed, .orphan: return
        }
    }
}

extension RedrivePage {
    /// This page, and after the last of its kind the first page of the next.
    fileprivate func followed(by key: [String]) -> RedrivePage {
        next.isEmpty ? RedrivePage(rows: rows, next: key) : self
    }
}

extension Shard {
    fileprivate func isOf(_ target: PartitionAddress, _ context: HandlerContext) -> Bool {
        partition(of: context.partitions) == target.partition
    }
}
