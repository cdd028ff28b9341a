import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.receipt.submit.v1`: the proof is read and kept, and its transactions go to their claims.
///
/// The same proof handed in again travels again, because its verdict may have changed; the same request repeated by the
/// gateway does not.
struct OnReceiptSubmit {
    let road: SubmissionRoad

    func callAsFunction(
        _ message: Event<ReceiptSubmitV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<ReceiptSubmittedV1> {
        let record = SubmissionRecord(message.data)
        let store = SubmissionStore(connection: context.connection)
        let reply = RequestOutcome.reply(ReceiptSubmittedV1(receiptId: record.receiptID))
        let lastRequest = try store.lastRequest(record.receiptID)
        guard lastRequest != message.id else { return reply }

        let earlier = lastRequest == nil ? nil : try store.record(record.receiptID)
        let judged = road.judge(record, beside: earlier, now: context.now)
        let reading = judged.reading
        if earlier != nil, let step = try store.step(record.receiptID) {
            context.record(Trace.Entry(step), of: record.receiptID.rawValue)
        }
        // A better text of a proof that is kept takes up room like a new one.
        if judged.isNew {
            switch try admission(of: judged, to: store) {
            case .keep: break
            case .keepInPlaceOfInvalid(let use):
                let oldest = try store.oldestInvalid(
                    use,
                    of: record.buyerID,
                    in: record.bundleID,
                    besides: record.receiptID
                )
                for receipt in oldest {
                    try context.forget(receipt, of: record.bundleID, subject: record.subject)
                }
            case .tellOnly:
                try road.send(reading, of: judged.record, in: &context)
                return reply
            case .refuse: return .refused(reading.state == .asking ? .tooManyAsking : .tooManyKept)
            }
        }
        try store.save(judged.record, reading, request: message.id, now: context.now)
        // Of proofs that hold nothing yet the newest is enough.
        if reading.state == .pending { try store.dropPending(besides: record) }
        try road.follow(reading, of: judged.record, isNew: judged.isNew, in: &context)
        return reply
    }

    private func admission(
        of judged: SubmissionRoad.Judged,
        to store: SubmissionStore
    ) throws -> BuyerRoom.Admission {
        let record = judged.record
        return try store.room(of: record.buyerID, in: record.bundleID, besides: record.receiptID)
            .admit(judged.reading.state, bytes: record.proof.bytes.count) {
                try store.lacks(
                    judged.reading.admitted.map(\.facts.transactionId),
                    of: record.buyerID,
                    in: record.bundleID
                )
            }
    }
}

extension RequestRefusal {
    fileprivate static let tooManyKept = RequestRefusal(
        .busy,
        "too many receipts of this buyer are kept, and wait for an operator; this one was not accepted"
    )
    fileprivate static let tooManyAsking = RequestRefusal(
        .busy,
        "Apple is being asked about too many receipts of this buyer; this one was not accepted"
    )
}
