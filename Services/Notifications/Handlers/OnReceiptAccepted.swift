import Contracts
import Delivery

/// `counterfoil.receipt.accepted.v1`: the transactions of a submission are known from now on.
struct OnReceiptAccepted {
    func callAsFunction(
        _ message: Event<ReceiptAcceptedV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let (accepted, entry) = (message.data, Trace.Entry(message, at: context.now))
        let receiptId = accepted.submission.receiptId
        let store = VerdictStore(connection: context.connection)
        // The verdict came first, and made the submission known.
        if accepted.isOnlyPending, try store.noteAcceptance(of: receiptId, entry) { return .applied }
        let known = try store.outline(receiptId)
        if known.bundleId != nil { context.record(entry, of: receiptId.rawValue) }
        if let status = known.accepting(accepted) {
            try store.saveReceipt(status, of: accepted.bundleId, entry)
            context.wake(receiptId.rawValue)
        }
        for verdict in accepted.positionedVerdicts {
            try context.merge(verdict, into: receiptId, by: accepted.submission.submitter, entry)
        }
        return .applied
    }
}

extension ReceiptAcceptedV1 {
    /// Whether it says no more than the verdict on its transaction will.
    fileprivate var isOnlyPending: Bool {
        submission.isOnly == true && verdict == nil && applicationVersion == nil
            && transactions.allSatisfy { $0.verdict == .pending }
    }
}

extension HandlerContext {
    /// Merges the verdict on a submission's transaction, and makes the submission known that holds nothing else.
    mutating func merge(
        _ verdict: PositionedVerdict,
        into submission: Submission,
        of bundle: BundleID,
        _ entry: Trace.Entry
    ) throws {
        var verdict = verdict
        if submission.isOnly == true {
            try VerdictStore(connection: connection).addReceipt(submission.receiptId, of: bundle, entry)
            verdict.position = 0
        }
        try merge(verdict, into: submission.receiptId, by: submission.submitter, entry)
    }

    /// Merges a verdict into that of its transaction, and wakes waiting phones if anything changed.
    mutating func merge(
        _ verdict: PositionedVerdict,
        into receipt: ReceiptID,
        by submitter: BuyerID,
        _ entry: Trace.Entry
    ) throws {
        let store = VerdictStore(connection: connection)
        let known = try store.verdict(receipt, of: verdict.verdict)
        guard let merged = verdict.merged(into: known?.verdict) else {
            return record(entry, of: receipt.rawValue)
        }
        // The message of a pending verdict is in the receipt's own row.
        if let known, known.verdict.verdict.verdict != .pending { record(known.entry, of: receipt.rawValue) }
        try store.save(merged, of: receipt, by: submitter, entry)
        wake(receipt.rawValue)
    }
}
