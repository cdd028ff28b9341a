import Contracts
import Database
import Delivery
import ReceiptsCore

/// What the rows tell of a receipt or a transaction; an order is found by the transaction that Orders names.
extension ReceiptsService {
    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        var trace = Trace()
        for identifier in identifiers.sorted() {
            if let receipt = ReceiptID(rawValue: identifier) { try trace.add(receipt, connection) }
            if let id = TransactionID(rawValue: identifier) { try trace.add(id, connection) }
        }
        return trace
    }
}

extension Trace {
    fileprivate mutating func add(_ id: ReceiptID, _ connection: any Connection) throws {
        guard let step = try SubmissionStore(connection: connection).step(id) else { return }
        entries.append(Entry(time: step.time, type: ReceiptSubmitV1.type.rawValue, id: step.requestID))
        related.formUnion([id.rawValue] + step.transactionIDs)
    }

    fileprivate mutating func add(_ id: TransactionID, _ connection: any Connection) throws {
        for record in try ClaimStore(connection: connection).records(id) {
            entries.append(Entry(record.verified, TransactionVerifiedV1.type))
            related.insert(id.rawValue)
            if let receipt = record.claim.proposer?.receiptId { related.insert(receipt.rawValue) }
            if case .held(let holder) = record.claim.state { related.insert(holder.order.rawValue) }
            guard let answered = record.answered else { continue }
            entries.append(Entry(answered, record.claim.state.answer))
        }
    }
}

extension Trace.Entry {
    fileprivate init(_ step: ClaimRecord.Step, _ type: EventType) {
        self.init(time: step.time, type: type.rawValue, id: step.eventID, causationid: step.causeID)
    }
}

extension Claim.State {
    /// The type of the answer that led to this state.
    fileprivate var answer: EventType {
        switch self {
        case .held: ClaimHeldV1.type
        case .unclaimed, .proposed, .orphan: ClaimRefusedV1.type
        }
    }
}
