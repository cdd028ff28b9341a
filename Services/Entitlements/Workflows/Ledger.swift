import Contracts
import Delivery
import Domain

/// A buyer's ledger, with those who are told of its changes.
struct Ledger {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Writes what became of a grant; tells Orders, and Notifications if there is news or somebody waits.
    func write(
        _ record: GrantRecord,
        _ lines: [Grant.Line],
        over known: GrantRecord?,
        for submission: Submission?
    ) throws {
        if let known {
            // The row has the report that changed it last; an earlier one, or one without effect, goes here.
            let entry = record.grant == known.grant ? record.traceEntry : known.traceEntry
            context.trace(entry, of: record.facts.purchaseId.rawValue)
            if record.facts != known.facts {
                try SupersededFactsStore(connection: context.connection).add(known)
            }
        }
        var stored = record
        // A store of Orders that was an older copy may have made another order for the purchase; Orders is right.
        if let known, record.grant == known.grant { (stored, stored.order) = (known, record.order) }
        try GrantStore(connection: context.connection).save(stored, over: known)
        let entries = try LedgerStore(connection: context.connection).append(lines, of: record)
        if record.grant != known?.grant { try HoldingChanges(context).follow(record, lines) }
        if record.grant.mustBeSent(after: lines, from: known?.grant.state, submission: submission) {
            try sendChanges(of: record, entries, submission: submission)
        }
        // Its holder's ledger tells Orders what became of it. A compensation pays no order.
        guard !record.grant.holderStatus.hasLeft, !record.facts.purchaseId.isCompensation else { return }
        try context.send(GrantRecordedV1(record.grant, of: record.facts, for: record.order))
    }

    /// Sends Notifications one event for each kind of entry, and for each further `perEvent` of them.
    ///
    /// A grant and an earlier refund of it are two events, so that each has the same id whenever it is sent. The last
    /// one answers the submission.
    private func sendChanges(
        of record: GrantRecord,
        _ entries: [LedgerEntry],
        submission: Submission?
    ) throws {
        let changes = entries.byKind
        for change in changes.dropLast() { try sendChange(of: record, change, cause: context.cause) }
        try sendChange(of: record, changes.last ?? [], cause: context.cause, submission: submission)
    }

    /// Sends Notifications one event: these entries, and what is to be said of the purchase now.
    ///
    /// After a restore, entries have the same id and time as before.
    func sendChange(
        of record: GrantRecord,
        _ entries: [LedgerEntry],
        cause: EventID? = nil,
        submission: Submission? = nil
    ) throws {
        let result = GrantResult(record.grant, endReason: try endReason(of: record))
        let change = EntitlementChangedV1(
            buyerId: record.grant.buyerId,
            order: record.order,
            transaction: record.facts,
            entries: entries,
            verdict: result.verdict,
            grantedAt: result.verdict == .granted ? record.grantedAt : nil,
            reason: result.reason,
            transfers: record.grant.holderStatus.last > 0 ? record.grant.holderStatus.last : nil,
            submission: submission
        )
        let stamp = entries.first.map { first in
            EventStamp(id: EventID(ofChange: entries), time: first.time, cause: cause)
        }
        try context.send(change, stamp: stamp)
    }

    /// Whether a purchase that is unknown here, and refunded in full, was perhaps granted before a restore.
    func mayHaveForgottenGrant(of facts: TransactionFacts) throws -> Bool {
        try RefundedShare(facts).isFull && context.mayHaveForgotten()
    }

    /// Why a period of a subscription gives nothing any more; nil while it does, and of all other purchases.
    private func endReason(of record: GrantRecord) throws -> String? {
        guard record.facts.isPeriod, record.grant.state == .granted, !record.grant.holderStatus.hasLeft else {
            return nil
        }
        let key = SubscriptionKey(record.facts, of: record.grant.buyerId)
        return try SubscriptionStore(connection: context.connection).access(key)?
            .endReason(of: record.facts.transactionId, at: context.now)
    }
}

extension [LedgerEntry] {
    /// Most entries in one event, so that it fits, each with the order's metadata.
    static let perEvent = 8

    /// The entries in runs of one kind, each of them for one event.
    var byKind: [[LedgerEntry]] {
        reduce(into: []) { runs, entry in
            if let run = runs.last, run.count < Self.perEvent, run.last?.kind == entry.kind {
                runs[runs.endIndex - 1].append(entry)
            } else {
                runs.append([entry])
            }
        }
    }
}
