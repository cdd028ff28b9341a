import Contracts
import Database
import Delivery

/// What the rows of grants and ledger entries say of the messages that changed them.
///
/// An order is found by the purchase that Orders names.
struct EntitlementsTrace {
    let connection: any Connection

    /// The trace of an id: of a purchase or an event.
    func read(_ identifiers: Set<String>) throws(StoreError) -> Trace {
        var trace = Trace()
        let grants = GrantStore(connection: connection)
        for identifier in identifiers.sorted() {
            var records = try grants.records(purchaseId: identifier)
            if EventSearch.mayFind(identifier) { records += try grants.records(naming: identifier) }
            for record in records { try add(record, to: &trace) }
        }
        return trace
    }

    private func add(_ record: GrantRecord, to trace: inout Trace) throws(StoreError) {
        var entries: [EventID: Trace.Entry] = [:]
        for line in try LedgerStore(connection: connection).lines(of: record) {
            entries[line.eventId] = line.traceEntry
        }
        entries[record.eventId] = record.traceEntry
        trace.entries += entries.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        trace.related.formUnion([record.facts.purchaseId.rawValue, record.order.orderId.rawValue])
        trace.related.formUnion(record.receiptId.map { [$0.rawValue] } ?? [])
    }
}

extension GrantRecord {
    /// The message that changed the grant last.
    var traceEntry: Trace.Entry {
        Trace.Entry(eventType, at: changedAt, id: eventId, cause: causationId)
    }
}

extension LedgerStore.Line {
    /// The message that led to the entry.
    fileprivate var traceEntry: Trace.Entry {
        Trace.Entry(eventType, at: entry.time, id: eventId, cause: causationId)
    }
}
