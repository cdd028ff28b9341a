import Contracts
import Database
import Delivery

/// The rows of a receipt or transaction; an order is found by the transaction that Orders names.
extension ReceiptsService {
    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            if EventSearch.mayFind(identifier) { try trace.add(event: identifier, connection) }
            if let receipt = ReceiptID(rawValue: identifier) { try trace.add(receipt, connection) }
            if let id = PurchaseID(rawValue: identifier) { try trace.add(id, connection) }
        }
        return trace
    }
}

extension Trace {
    fileprivate mutating func add(_ id: ReceiptID, _ connection: any Connection) throws {
        let store = SubmissionStore(connection: connection)
        guard var request = try store.request(id) else { return }
        if let version = try store.applicationVersion(id) {
            request.type += " (application version \(version))"
        }
        entries.append(request)
        related.formUnion([id.rawValue] + (try store.transactionIDs(id)))
        let query = AppleQuery.id(of: .proof(id), in: BundleID(unchecked: ""))
        if let asked = try AppleQueryStore(connection: connection).query(query) {
            entries.append(Entry(asked))
        }
    }

    fileprivate mutating func add(_ id: PurchaseID, _ connection: any Connection) throws {
        let store = ClaimStore(connection: connection)
        for record in try store.records(named: id) { try add(record, store) }
        entries += try NotificationStore(connection: connection).deliveries(about: id)
    }

    fileprivate mutating func add(event: String, _ connection: any Connection) throws {
        let store = ClaimStore(connection: connection)
        for record in try store.records(naming: event) { try add(record, store) }
    }

    private mutating func add(_ record: ClaimRecord, _ store: ClaimStore) throws {
        var answered = record.answered
        if record.verified.id == answered?.id {
            answered?.type = ClaimRedrivenV1.type.rawValue
        } else {
            entries.append(record.verified)
        }
        answered?.evidence = record.claim.heldBy
        entries += [answered].compactMap(\.self)
        related.insert(record.key.purchaseID.rawValue)
        related.formUnion(try store.names(of: record.key))
        if let receipt = record.claim.proposer?.receiptId { related.insert(receipt.rawValue) }
        if case .held(let holder) = record.claim.state { related.insert(holder.order.rawValue) }
    }
}

extension Trace.Entry {
    fileprivate init(_ query: AppleQuery) {
        let asked = "apple.\(query.api.rawValue).asked"
        let type = query.problem.map { "\(asked) (\($0))" } ?? asked
        self.init(time: query.askedAt, type: type, id: query.id)
    }
}
