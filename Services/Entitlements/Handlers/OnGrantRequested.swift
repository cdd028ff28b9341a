import Contracts
import Database
import Delivery
import EntitlementsCore

/// `counterfoil.grant.requested.v1`: the ledger is brought to what the purchase says.
struct OnGrantRequested {
    let offers: any OfferLookup

    func callAsFunction(
        _ message: Event<GrantRequestedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let request = message.data
        let known = try GrantStore(connection: context.connection).record(of: request.transaction)
        var grant = known?.grant ?? Grant(buyerId: request.buyerId)
        let lines: [Grant.Line]
        do throws(Grant.Refusal) {
            let offer = offers.offer(for: request.transaction.productId, of: request.transaction.bundleId)
            lines = try grant.apply(request.transaction, for: request.buyerId, offer: offer)
        } catch {
            return .parked(error.rawValue)
        }
        guard let record = GrantRecord(grant, by: message, at: context.now, over: known) else {
            return .parked("unseen")
        }
        if let known {
            // The row takes up what changes it; the request before it, or the one that changes nothing, is kept.
            let step = record.grant == known.grant ? record.step : known.step
            context.record(step, of: request.transaction.purchaseId.rawValue)
            if record.facts != known.facts { try ToldStore(connection: context.connection).keep(known) }
        }
        try GrantStore(connection: context.connection).save(record, over: known)
        let entries = try write(lines, of: record, in: context)
        let answer = GrantAnswer(grant, after: lines, from: known?.grant.state)
        try tell(request, record, answer, entries, in: &context)
        return .applied
    }

    /// Adds the lines to the ledger and to what the buyer holds.
    func write(
        _ lines: [Grant.Line],
        of record: GrantRecord,
        in context: HandlerContext
    ) throws -> [LedgerEntry] {
        guard !lines.isEmpty else { return [] }
        let ledger = LedgerStore(connection: context.connection)
        let holdings = HoldingStore(connection: context.connection)
        var number = try ledger.lastNumber(bundleId: record.facts.bundleId, buyerId: record.grant.buyerId)
        var entries: [LedgerEntry] = []
        for line in lines {
            number += 1
            let entry = LedgerEntry(line, try identifier(of: line, in: record, ledger), of: record)
            try ledger.append(entry, number: number, of: record)
            try holdings.add(line, of: record)
            entries.append(entry)
        }
        return entries
    }

    private func identifier(
        of line: Grant.Line,
        in record: GrantRecord,
        _ ledger: LedgerStore
    ) throws -> EntryID {
        let (bundle, buyer) = (record.facts.bundleId, record.grant.buyerId)
        let identifier = EntryID(line, of: record.facts)
        guard line.kind != .grant,
            try ledger.number(of: identifier, bundleId: bundle, buyerId: buyer) != nil
        else { return identifier }
        return EntryID(line, of: record.facts, isRepeated: true)
    }

    private func tell(
        _ request: GrantRequestedV1,
        _ record: GrantRecord,
        _ answer: GrantAnswer,
        _ entries: [LedgerEntry],
        in context: inout HandlerContext
    ) throws {
        if answer.concernsNotifications(submission: request.submission) {
            try context.sendChanges(of: record, entries, answer, submission: request.submission)
        }
        try context.sendSettled(record, answer.outcome)
    }
}

extension LedgerEntry {
    fileprivate init(_ line: Grant.Line, _ id: EntryID, of record: GrantRecord) {
        self.init(
            entryId: id.text,
            kind: line.kind,
            entitlement: line.entitlement,
            amount: line.amount,
            transactionId: record.facts.transactionId,
            purchaseId: record.facts.purchaseId,
            productId: record.facts.productId,
            order: record.order,
            environment: record.facts.environment,
            time: record.changedAt
        )
    }
}
