import Contracts
import Delivery

/// `counterfoil.receipt.finished.v1`: digest and facts replace the text of an old proof.
struct OnReceiptFinished {
    let workflow: SubmissionWorkflow

    func callAsFunction(
        _ message: Event<ReceiptFinishedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let store = SubmissionStore(connection: context.connection)
        guard let record = try store.record(message.data.receiptId), record.droppedDigest == nil else {
            return .applied
        }
        if let facts = workflow.assess(record, now: context.now).factsToKeep {
            try store.dropText(of: record, record.findings ?? facts)
        }
        return .applied
    }
}
