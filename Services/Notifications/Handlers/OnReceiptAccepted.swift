import Contracts
import Delivery
import NotificationsCore

/// `counterfoil.receipt.accepted.v1`: from now on it is known which transactions a submission holds.
struct OnReceiptAccepted {
    func callAsFunction(
        _ message: Event<ReceiptAcceptedV1>,
        in transaction: inout Transaction
    ) throws -> Outcome {
        let accepted = message.data
        let receiptId = accepted.submission.receiptId
        let store = VerdictStore(connection: transaction.connection)
        let origin = Origin(message, at: transaction.now)
        let known = try store.receipt(receiptId)
        let whole = accepted.verdict.map { ReceiptStanding.Whole($0, reason: accepted.reason) }
        let merged = whole.map { $0.merged(into: known?.whole) } ?? known?.whole
        if known == nil || merged != known?.whole {
            try store.saveReceipt(receiptId, of: accepted.bundleId, merged, from: origin)
            transaction.wake(receiptId.rawValue)
        }
        for (position, verdict) in accepted.transactions.enumerated() {
            let line = VerdictLine(verdict, position: position)
            try transaction.take(line, of: receiptId, from: origin)
        }
        return .applied
    }
}

extension Transaction {
    /// Merges a line into what is known of its transaction, and wakes those who wait if anything changed.
    mutating func take(_ line: VerdictLine, of receipt: ReceiptID, from origin: Origin) throws {
        let store = VerdictStore(connection: connection)
        let known = try store.line(receipt, of: line.verdict)
        guard let merged = line.merged(into: known) else { return }
        try store.save(merged, of: receipt, from: origin)
        wake(receipt.rawValue)
    }
}
