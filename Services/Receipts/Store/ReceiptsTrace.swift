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
        let claims = ClaimStore(connection: connection)
        for identifier in identifiers.sorted() {
            if EventSearch.mayFind(identifier) {
                for record in try claims.records(naming: identifier) { try add(record, claims, to: &trace) }
            }
            if let receipt = ReceiptID(rawValue: identifier) { try addReceipt(receipt, to: &trace) }
            if let id = PurchaseID(rawValue: identifier) {
                for record in try claims.records(named: id) { try add(record, claims, to: &trace) }
                trace.entries += try ServerNotificationStore(connection: connection).deliveries(about: id)
            }
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
            let name = "apple.\(asked.api.rawValue).asked"
            let type = asked.problem.map { "\(name) (\($0))" } ?? name
            trace.entries.append(Trace.Entry(time: asked.askedAt, type: type, id: asked.id))
        }
    }

    private func add(_ record: ClaimRecord, _ store: ClaimStore, to trace: inout Trace) throws {
        var answered = record.answered
        if record.verified.id == answered?.id {
            answered?.type = ClaimRedrivenV1.type.rawValue
        } else {
            trace.entries.append(record.verified)
        }
        answered?.evidence = record.claim.heldBy
        if let answered { trace.entries.append(answered) }
        trace.related.insert(record.key.purchaseID.rawValue)
        trace.related.formUnion(try store.names(of: record.key))
        if let receipt = record.claim.proposer?.receiptId { trace.related.insert(receipt.rawValue) }
        if let holder = record.claim.state.holder { trace.related.insert(holder.order.rawValue) }
    }
}
