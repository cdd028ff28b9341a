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
        in transaction: inout Transaction
    ) throws -> RequestOutcome<ReceiptSubmittedV1> {
        let record = SubmissionRecord(message.data)
        let store = SubmissionStore(connection: transaction.connection)
        let reply = RequestOutcome.reply(ReceiptSubmittedV1(receiptId: record.receiptID))
        let lastRequest = try store.lastRequest(record.receiptID)
        guard lastRequest != message.id else { return reply }

        var known = record
        if lastRequest != nil, let earlier = try store.record(record.receiptID) {
            known.findings = earlier.findings
            if earlier.failure?.isOfApple == true { known.failure = earlier.failure }
        }
        let reading = road.read(known, now: transaction.now)
        let hasRoom =
            try lastRequest != nil
            || reading.hasRoom { state in
                try store.count(state, of: record.buyerID, in: record.bundleID)
            }
        guard hasRoom else { return .refused(reading.state == .asking ? .tooManyAsking : .tooManyParked) }

        if lastRequest != nil, let earlier = try store.step(record.receiptID) {
            transaction.keep(Trace.Entry(earlier), of: record.receiptID.rawValue)
        }
        try store.save(record, reading, request: message.id, now: transaction.now)
        // Of proofs that hold nothing yet the newest is enough.
        if reading.state == .pending { try store.dropPending(besides: record) }
        try road.follow(reading, of: known, isNew: lastRequest == nil, in: &transaction)
        return reply
    }
}

extension RequestRefusal {
    fileprivate static let tooManyParked = RequestRefusal(
        .busy,
        "too many receipts of this buyer wait for an operator; this one was not accepted"
    )
    fileprivate static let tooManyAsking = RequestRefusal(
        .busy,
        "Apple is being asked about too many receipts of this buyer; this one was not accepted"
    )
}
