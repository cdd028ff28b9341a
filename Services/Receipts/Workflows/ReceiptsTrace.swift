import Contracts
import Database
import Delivery
import ReceiptsCore

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
        guard let step = try SubmissionStore(connection: connection).step(id) else { return }
        entries.append(Entry(step))
        related.formUnion([id.rawValue] + step.transactionIDs)
        let query = AppleQuery.id(of: .proof(id), in: BundleID(unchecked: ""))
        if let asked = try AppleQueryStore(connection: connection).query(query) {
            entries.append(Entry(asked))
        }
    }

    fileprivate mutating func add(_ id: PurchaseID, _ connection: any Connection) throws {
        for purchase in try AliasStore(connection: connection).purchases(named: id.rawValue) {
            try add(try ClaimStore(connection: connection).records(purchase), connection)
        }
        for delivery in try NotificationStore(connection: connection).deliveries(
            about: TransactionID(unchecked: id.rawValue)
        ) {
            entries.append(
                Entry(time: delivery.time, type: NotificationDeliverV1.type.rawValue, id: delivery.id)
            )
        }
    }

    fileprivate mutating func add(event: String, _ connection: any Connection) throws {
        try add(try ClaimStore(connection: connection).records(naming: event), connection)
    }

    private mutating func add(_ records: [ClaimRecord], _ connection: any Connection) throws {
        for record in records {
            let isRedriven = record.verified.eventID == record.answered?.eventID
            if !isRedriven { entries.append(Entry(record.verified, TransactionVerifiedV1.type)) }
            related.insert(record.key.purchaseID.rawValue)
            related.formUnion(try AliasStore(connection: connection).names(of: record.key))
            if let receipt = record.claim.proposer?.receiptId { related.insert(receipt.rawValue) }
            if case .held(let holder) = record.claim.state { related.insert(holder.order.rawValue) }
            guard let answered = record.answered else { continue }
            entries.append(Entry(answered, isRedriven ? ClaimRedrivenV1.type : record.claim.state.answer))
        }
    }
}

extension HandlerContext {
    /// Records the last answer of Orders for `trace`, before the claim's row takes another.
    mutating func recordAnswer(of claim: ClaimRecord) {
        guard let answered = claim.answered else { return }
        record(Trace.Entry(answered, claim.claim.state.answer), of: claim.key.purchaseID.rawValue)
    }
}

extension Trace.Entry {
    init(_ step: SubmissionStore.Step) {
        self.init(time: step.time, type: ReceiptSubmitV1.type.rawValue, id: step.requestID.rawValue)
    }

    fileprivate init(_ query: AppleQuery) {
        let asked = "apple.\(query.api.rawValue).asked"
        let type = query.problem.map { "\(asked) (\($0))" } ?? asked
        self.init(time: query.askedAt, type: type, id: query.id)
    }

    fileprivate init(_ step: ClaimRecord.Step, _ type: EventType) {
        self.init(time: step.time, type: type.rawValue, id: step.eventID, causationid: step.causeID)
    }
}

extension Claim.State {
    fileprivate var answer: EventType {
        switch self {
        case .held: ClaimHeldV1.type
        case .unclaimed, .lookingUp, .proposed, .orphan: ClaimRefusedV1.type
        }
    }
}
