import Contracts
import Database
import Delivery

/// What the rows of submissions, claims and notifications say of the messages that changed them.
///
/// An order is found by the transaction that Orders names.
struct ReceiptsTrace {
    let connection: any Connection

    /// The trace of an id: of a receipt, a purchase or an event.
    func read(_ identifiers: Set<String>) throws -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            if EventSearch.mayFind(identifier) { try addEvent(identifier, to: &trace) }
            if let receipt = ReceiptID(rawValue: identifier) { try addReceipt(receipt, to: &trace) }
            if let id = PurchaseID(rawValue: identifier) { try addPurchase(id, to: &trace) }
        }
        return trace
    }

    private func addReceipt(_ id: ReceiptID, to trace: inout Trace) throws {
        let store = SubmissionStore(connection: connection)
        guard var request = try store.request(id) else { return }
        if let version = try store.applicationVersion(id) {
            request.type += " (application version \(version))"
        }
        trace.entries.append(request)
        trace.related.formUnion([id.rawValue] + (try store.transactionIDs(id)))
        let query = AppleQuery.id(of: .proof(id), in: BundleID(unchecked: ""))
        if let asked = try AppleQueryStore(connection: connection).known(query) {
            trace.entries.append(Trace.Entry(asked))
        }
    }

    private func addPurchase(_ id: PurchaseID, to trace: inout Trace) throws {
        let store = ClaimStore(connection: connection)
        for record in try store.records(named: id) { try add(record, store, to: &trace) }
        trace.entries += try ServerNotificationStore(connection: connection).deliveries(about: id)
    }

    private func addEvent(_ event: String, to trace: inout Trace) throws {
        let store = ClaimStore(connection: connection)
        for record in try store.records(naming: event) { try add(record, store, to: &trace) }
    }

    private func add(_ record: ClaimRecord, _ store: ClaimStore, to trace: inout Trace) throws {
        var answered = record.answered
        if record.verified.id == answered?.id {
            answered?.type = ClaimRedrivenV1.type.rawValue
        } else {
            trace.entries.append(record.verified)
        }
        answered?.evidence = record.claim.heldBy
        trace.entries += [answered].compactMap(\.self)
        trace.related.insert(record.key.purchaseID.rawValue)
        trace.related.formUnion(try store.names(of: record.key))
        if let receipt = record.claim.proposer?.receiptId { trace.related.insert(receipt.rawValue) }
        if case .held(let holder) = record.claim.state { trace.related.insert(holder.order.rawValue) }
    }
}

extension Trace.Entry {
    fileprivate init(_ query: AppleQuery) {
        let asked = "apple.\(query.api.rawValue).asked"
        let type = query.problem.map { "\(asked) (\($0))" } ?? asked
        self.init(time: query.askedAt, type: type, id: query.id)
    }
}
