import Contracts
import Delivery

/// `counterfoil.reconciliation.start.v1`: an operator starts a reconciliation with Apple.
struct OnReconciliationStart {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<ReconciliationStartV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReconciliationV1> {
        let store = ReconciliationStore(connection: context.connection)
        if let job = try store.job(message.data.reconciliationId) {
            return .reply(ReconciliationV1(progress: job.progress))
        }
        let job = Reconciliation(message.data, policies: policies)
        try store.forget(now: context.now)
        try store.save(job, now: context.now)
        context.scheduleWork(at: context.now)
        return .reply(ReconciliationV1(progress: job.progress))
    }
}
