import Contracts
import Database
import Delivery

/// The ledger's trace of a purchase; an order is found by the purchase that Orders names.
extension EntitlementsService {
    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        var trace = Trace()
        let grants = GrantStore(connection: connection)
        for identifier in identifiers.sorted() {
            var records = try grants.records(purchaseId: identifier)
            if EventSearch.mayFind(identifier) { records += try grants.records(naming: identifier) }
            for record in records { try add(record, to: &trace, connection) }
        }
        return trace
    }

    private func add(_ record: GrantRecord, to trace: inout Trace, _ connection: any Connection) throws {
        var entries: [EventID: Trace.Entry] = [:]
        for line in try LedgerStore(connection: connection).lines(of: record) {
            entries[line.eventId] = Trace.Entry(line.eventId, because: line.causationId, at: line.entry.time)
        }
        entries[record.eventId] = record.traceEntry
        trace.entries += entries.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        trace.related.formUnion([record.facts.purchaseId.rawValue, record.order.orderId.rawValue])
        trace.related.formUnion(record.receiptId.map { [$0.rawValue] } ?? [])
    }
}

extension GrantRecord {
    /// The request that last changed the grant.
    var traceEntry: Trace.Entry { Trace.Entry(eventId, because: causationId, at: changedAt) }
}

extension Trace.Entry {
    fileprivate init(_ request: EventID, because cause: EventID?, at time: Timestamp) {
        // A request of Orders has a cause; only an operator's has none.
        let type = cause == nil ? GrantRetryV1.type : GrantRequestedV1.type
        self.init(
            time: time,
            type: type.rawValue,
            id: request.rawValue,
            causationid: cause?.rawValue
        )
    }
}
