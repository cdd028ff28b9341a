import Contracts
import Delivery

/// `counterfoil.receipt.accepted.v1`: the transactions of a submission are known from now on.
struct OnReceiptAccepted {
    func callAsFunction(
        _ message: Event<ReceiptAcceptedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let (accepted, entry) = (message.data, Trace.Entry(message, at: context.now))
        let receiptId = accepted.submission.receiptId
        let store = VerdictStore(connection: context.connection)
        // The verdict came first, and made the submission known.
        if accepted.isOnlyPending, try store.noteAcceptance(of: receiptId, entry) { return .applied }
        let known = try store.outline(receiptId)
        if known.bundleId != nil { context.trace(entry, of: receiptId.rawValue) }
        if let status = known.accepting(accepted) {
            try store.saveReceipt(status, of: accepted.bundleId, by: accepted.submission.submitter, entry)
            context.wake(receiptId.rawValue)
        }
        for verdict in accepted.numberedVerdicts {
            try Verdicts(context).merge(verdict, into: receiptId, by: accepted.submission.submitter, entry)
        }
        return .applied
    }
}
