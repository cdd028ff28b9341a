import Contracts
import Delivery

/// The verdicts on the transactions of submissions, for which phones wait.
struct Verdicts {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Merges the verdict on a submission's transaction, and makes the submission known that holds nothing else.
    func merge(
        _ verdict: NumberedVerdict,
        into submission: Submission,
        of bundle: BundleID,
        _ entry: Trace.Entry
    ) throws {
        var verdict = verdict
        if submission.isOnly == true {
            let store = VerdictStore(connection: context.connection)
            try store.addReceipt(submission.receiptId, of: bundle, by: submission.submitter, entry)
            verdict.position = 0
        }
        try merge(verdict, into: submission.receiptId, by: submission.submitter, entry)
    }

    /// Merges a verdict into that of its transaction, and wakes waiting phones if anything changed.
    func merge(
        _ verdict: NumberedVerdict,
        into receipt: ReceiptID,
        by submitter: BuyerID,
        _ entry: Trace.Entry
    ) throws {
        let store = VerdictStore(connection: context.connection)
        let known = try store.verdict(receipt, of: verdict.verdict)
        guard let merged = verdict.merged(into: known?.verdict) else {
            return context.trace(entry, of: receipt.rawValue)
        }
        // The message of a pending verdict is in the receipt's own row.
        if let known, known.verdict.verdict.verdict != .pending {
            context.trace(known.entry, of: receipt.rawValue)
        }
        try store.save(merged, of: receipt, by: submitter, entry)
        context.wake(receipt.rawValue)
    }
}
