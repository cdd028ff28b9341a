import Contracts
import Delivery

/// `counterfoil.evidence.completed.v1`: Apple has said all that it knows of a purchase that an app receipt lists.
struct OnEvidenceCompleted {
    /// Goes on with a claim that waits.
    ///
    /// A purchase without claim may wait for its names, or have gone to another chain; one that is unknown in a
    /// restored store waits for nothing.
    func callAsFunction(
        _ message: Event<EvidenceCompletedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let completed = message.data
        let key = PurchaseKey(completed.environment, completed.bundleId, completed.purchaseId)
        let store = ClaimStore(connection: context.connection)
        let name = key.named(completed.transactionId.rawValue)
        guard let record = try store.record(named: name) ?? store.record(named: key) else {
            try NameWorkflow.pass(completed, in: context)
            return .applied
        }
        context.trace(message, of: record.key.purchaseID.rawValue)
        var workflow = ClaimWorkflow(record, in: context)
        workflow.record.claim.reading.isRegistering = try NameWorkflow.isRegistering(record, in: context)
        let waiting = try store.waiters(record)
        let mayKnowMore = completed.mayKnowMore == true
        return try workflow.apply(
            mayKnowMore ? .evidenceMissing(waiting: waiting) : .evidenceCompleted(waiting: waiting)
        )
    }
}
