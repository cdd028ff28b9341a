import Contracts
import Database
import Delivery
import NotificationsCore

/// `counterfoil.receipt.accepted.v1`: from now on it is known which transactions a submission holds.
struct OnReceiptAccepted {
    func callAsFunction(
        _ message: Event<ReceiptAcceptedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let accepted = message.data
        let receiptId = accepted.submission.receiptId
        let store = VerdictStore(connection: context.connection)
        let origin = Origin(message, at: context.now)
        let known = try store.receipt(receiptId)
        if known != nil { context.record(Trace.Entry(origin), of: receiptId.rawValue) }
        let whole = try store.whole(of: receiptId, after: accepted, known: known?.whole)
        if known == nil || whole != known?.whole {
            try store.saveReceipt(receiptId, of: accepted.bundleId, whole, from: origin)
            context.wake(receiptId.rawValue)
        }
        for (index, verdict) in accepted.transactions.enumerated() {
            let line = VerdictLine(verdict, position: (accepted.offset ?? 0) + index)
            try context.take(line, of: receiptId, from: origin)
        }
        return .applied
    }
}

extension VerdictStore {
    /// The verdict on the whole after this reading; the lines count only where there is one.
    fileprivate func whole(
        of receipt: ReceiptID,
        after accepted: ReceiptAcceptedV1,
        known: ReceiptStanding.Whole?
    ) throws(StoreError) -> ReceiptStanding.Whole? {
        let reading = accepted.verdict.map { ReceiptStanding.Whole($0, reason: accepted.reason) }
        guard reading != nil || known != nil else { return nil }
        return try standing(receipt).standing.whole(after: reading)
    }
}

extension HandlerContext {
    /// Merges a line into what is known of its transaction, and wakes those who wait if anything changed.
    mutating func take(_ line: VerdictLine, of receipt: ReceiptID, from origin: Origin) throws {
        let store = VerdictStore(connection: connection)
        let known = try store.line(receipt, of: line.verdict)
        guard let merged = line.merged(into: known) else {
            return record(Trace.Entry(origin), of: receipt.rawValue)
        }
        // A line that is pending was made by the message that the receipt's own row shows.
        if let known, known.verdict.verdict != .pending {
            let earlier = try TraceStore(connection: connection).step(of: receipt, line.verdict)
            if let earlier { record(earlier, of: receipt.rawValue) }
        }
        try store.save(merged, of: receipt, from: origin)
        wake(receipt.rawValue)
    }
}
