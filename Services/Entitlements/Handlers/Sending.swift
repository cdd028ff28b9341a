import Contracts
import Delivery
import Domain
import EntitlementsCore

/// The two messages that Entitlements sends.
extension HandlerContext {
    /// Tells Notifications, in the buyer's partition, what the ledger holds.
    mutating func sendChange(
        of record: GrantRecord,
        _ entries: [LedgerEntry],
        _ answer: GrantAnswer,
        submission: Submission?,
        _ stamp: EventStamp? = nil
    ) throws {
        let buyer = record.grant.buyerId
        let bundle = record.facts.bundleId
        let change = EntitlementChangedV1(
            bundleId: bundle,
            buyerId: buyer,
            environment: record.facts.environment,
            order: record.order,
            transaction: record.facts,
            entries: entries,
            verdict: answer.verdict,
            grantedAt: answer.verdict == .granted ? record.grantedAt : nil,
            reason: answer.reason,
            submission: submission
        )
        try send(change, stamp: stamp)
    }

    /// Tells Notifications what was written, in one event for each kind of entry.
    ///
    /// A grant, and what was paid back of it before it came, are two events, so that each has the same id whenever it is
    /// told. The last one answers the submission.
    mutating func sendChanges(
        of record: GrantRecord,
        _ entries: [LedgerEntry],
        _ answer: GrantAnswer,
        submission: Submission?
    ) throws {
        var changes = entries.byKind
        guard let last = changes.popLast() else {
            return try sendChange(of: record, [], answer, submission: submission)
        }
        for change in changes {
            try sendChange(of: record, change, answer, submission: nil, EventStamp(change, cause: cause))
        }
        try sendChange(of: record, last, answer, submission: submission, EventStamp(last, cause: cause))
    }

    /// Tells Orders, in the order's partition, how far its goods are.
    mutating func sendSettled(_ record: GrantRecord, _ outcome: GrantOutcome) throws {
        let settled = GrantSettledV1(
            bundleId: record.facts.bundleId,
            buyerId: record.grant.buyerId,
            orderId: record.order.orderId,
            purchaseId: record.facts.purchaseId,
            outcome: outcome
        )
        try send(settled)
    }
}

extension [LedgerEntry] {
    /// The entries in runs of one kind.
    var byKind: [[LedgerEntry]] {
        reduce(into: []) { runs, entry in
            if runs.last?.last?.kind == entry.kind {
                runs[runs.endIndex - 1].append(entry)
            } else {
                runs.append([entry])
            }
        }
    }
}

extension EventStamp {
    /// What tells a change of the ledger, whenever it is told: after a restore it has the same id and time as before.
    init(_ entries: [LedgerEntry], cause: EventID?) {
        self.init(
            id: EventID(ofChange: entries),
            time: entries.first?.time ?? Timestamp(milliseconds: 0),
            cause: cause
        )
    }
}

extension Grant.Line {
    /// The line that an entry of the ledger was made of, as far as it tells.
    init(_ entry: LedgerEntry) { self.init(entry.kind, entry.entitlement, entry.amount) }
}
