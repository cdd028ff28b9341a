import Contracts
import Database
import Delivery
import EntitlementsCore

/// The ledger: what each buyer holds, and every entry that led there.
struct EntitlementsService: PartitionedService {
    static let name = ServiceName.entitlements
    static let links: [ServiceName: LinkKind] = [.orders: .answer, .notifications: .forward]
    static let schema = EntitlementsSchema.schema
    /// Records that are in memory at a time when everything is sent again.
    static let redrivePage = 500

    let offers: any OfferLookup

    func register(in table: inout HandlerTable) {
        table.on(GrantRequestedV1.self, OnGrantRequested(offers: offers).callAsFunction)
        table.on(request: EntitlementsGetV1.self, OnEntitlementsGet().callAsFunction)
        table.on(request: LedgerGetV1.self, OnLedgerGet().callAsFunction)
    }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            for record in try GrantStore(connection: connection).records(transactionId: identifier) {
                try add(record, to: &trace, connection)
            }
        }
        return trace
    }

    private func add(_ record: GrantRecord, to trace: inout Trace, _ connection: any Connection) throws {
        let type = GrantRequestedV1.type.rawValue
        var steps: [EventID: Trace.Entry] = [:]
        for line in try LedgerStore(connection: connection).lines(of: record) {
            steps[line.eventId] = Trace.Entry(
                time: line.entry.time,
                type: type,
                id: line.eventId.rawValue,
                causationid: line.causationId?.rawValue
            )
        }
        steps[record.eventId] = Trace.Entry(
            time: record.changedAt,
            type: type,
            id: record.eventId.rawValue,
            causationid: record.causationId?.rawValue
        )
        trace.entries += steps.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        trace.related.formUnion([record.facts.transactionId.rawValue, record.order.orderId.rawValue])
        trace.related.formUnion(record.receiptId.map { [$0.rawValue] } ?? [])
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        let parked = try GrantStore(connection: connection).parked()
        let age = parked.oldest.map { Double(now.milliseconds - $0.milliseconds) / 1_000 }
        return [
            "counterfoil_grants_parked": Double(parked.count),
            "counterfoil_grants_parked_oldest_seconds": max(0, age ?? 0),
        ]
    }

    func redrive(to target: PartitionAddress, in transaction: inout Transaction) throws {
        let store = GrantStore(connection: transaction.connection)
        var page = try store.page(after: nil, limit: Self.redrivePage)
        while let last = page.last {
            for record in page { try redrive(record, to: target, in: &transaction) }
            page = try store.page(after: last, limit: Self.redrivePage)
        }
    }

    private func redrive(
        _ record: GrantRecord,
        to target: PartitionAddress,
        in transaction: inout Transaction
    ) throws {
        let buyer = Shard(bundleID: record.facts.bundleId, buyer: record.grant.buyerId)
        let here: Shard? =
            switch target.service {
            case .orders: record.order.orderId.shard
            case .notifications: buyer
            case .receipts, .entitlements: nil
            }
        guard here?.partition(of: transaction.partitions) == target.partition else { return }
        switch target.service {
        case .orders: try transaction.sendSettled(record, GrantAnswer(record.grant, after: []).outcome)
        case .notifications: try redriveChanges(of: record, in: &transaction)
        case .receipts, .entitlements: break
        }
    }

    /// Sends each change of the ledger with the entries it had, by which Notifications knows it, then the verdict.
    private func redriveChanges(of record: GrantRecord, in transaction: inout Transaction) throws {
        let answer = GrantAnswer(record.grant, after: [])
        var lines = try LedgerStore(connection: transaction.connection).lines(of: record)[...]
        while let first = lines.first {
            let change = lines.prefix { $0.eventId == first.eventId }
            try transaction.sendChange(of: record, change.map(\.entry), answer, submission: nil)
            lines = lines.dropFirst(change.count)
        }
        if let receipt = record.receiptId {
            let submission = Submission(receiptId: receipt, submitter: record.grant.buyerId)
            try transaction.sendChange(of: record, [], answer, submission: submission)
        }
    }
}
