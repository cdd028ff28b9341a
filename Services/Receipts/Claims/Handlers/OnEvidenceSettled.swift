import Contracts
import Delivery

/// `counterfoil.evidence.settled.v1`: Apple has said all that it knows of a purchase that an app receipt lists.
struct OnEvidenceSettled {
    /// Goes on with a claim that waits.
    ///
    /// A purchase without claim may wait for its names, or have gone to another chain; one that is unknown in a
    /// restored store waits for nothing.
    func callAsFunction(
        _ message: Event<EvidenceSettledV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let settled = message.data
        let key = PurchaseKey(settled.environment, settled.bundleId, settled.purchaseId)
        let store = ClaimStore(connection: context.connection)
        let name = key.named(settled.transactionId.rawValue)
        guard let record = try store.record(named: name) ?? store.record(named: key) else {
            try NameWorkflow.pass(settled, in: context)
            return .applied
        }
        context.record(message, of: record.key.purchaseID.rawValue)
        var workflow = ClaimWorkflow(record, in: context)
        workflow.record.claim.reading.isRegistering = try NameWorkflow.isRegistering(record, in: context)
        guard settled.mayKnowMore == true else { return try workflow.apply(.evidenceSettled) }
        return try workflow.apply(.evidenceMissing(waiting: try store.waiters(record)))
    }
}
