import Contracts
import Delivery

/// `counterfoil.receipt.settled.v1`: digest and facts replace the text of an old proof.
struct OnReceiptSettled {
    let workflow: SubmissionWorkflow

    func callAsFunction(
        _ message: Event<ReceiptSettledV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let store = SubmissionStore(connection: context.connection)
        guard let record = try store.record(message.data.receiptId), record.droppedDigest == nil else {
            return .applied
        }
        let assessment = workflow.assess(record, now: context.now)
        // A text that cannot be read any more has no facts.
        guard assessment.knowledge == .whole else { return .applied }
        let facts = ProofContents(transactions: assessment.items.map(\.signed))
        try store.dropText(of: record, record.findings ?? facts)
        return .applied
    }
}
