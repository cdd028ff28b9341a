import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.receipt.settled.v1`: of an old proof digest and facts are kept, and its text goes.
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
        // What cannot be read any more would leave no facts: its text stays.
        let reading = workflow.read(record, now: context.now)
        guard reading.knowledge == .whole else { return .applied }
        let facts = ProofContents(transactions: reading.items.map(\.signed))
        try store.dropText(of: record, record.findings ?? facts)
        return .applied
    }
}
