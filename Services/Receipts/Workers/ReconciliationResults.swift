import Contracts
import Delivery
import Domain

extension AppleJobResults {
    /// Most bytes of a notification in one event with its transaction.
    private static let longestBeside = 32 << 10

    func take(
        _ result: AppleJobResult,
        _ lookup: Reconciliation.Lookup,
        in context: inout HandlerContext
    ) throws {
        let store = ReconciliationStore(connection: context.connection)
        // A page taken before is not the requested one.
        guard var job = try store.job(lookup.id), job.lookup == lookup else { return }
        let directives = job.apply(
            result.reconciliationAnswer,
            policy: submissions.policies[lookup.step.bundleId]
        )
        try store.save(job, now: context.now)
        for directive in directives {
            switch directive {
            case .submit(let notification): try deliver(notification, in: &context)
            case .compare(let found): try send(found, in: &context)
            }
        }
        context.scheduleWork(at: context.now)
    }

    /// A notification is sent with its transaction, which is compared first; only a very long one is sent separately.
    private func send(_ found: TransactionFoundV1, in context: inout HandlerContext) throws {
        var found = found
        let long = found.notification.flatMap { $0.signedPayload.utf8.count > Self.longestBeside ? $0 : nil }
        if long != nil { found.notification = nil }
        try context.send(found)
        if let long { try deliver(long, in: &context) }
    }
}

extension AppleJobResult {
    fileprivate var reconciliationAnswer: Reconciliation.Answer {
        switch outcome {
        case .found: .page(findings, next: next)
        case .refused: .failed("no App Store Server API key is configured for this app")
        case .unknown: .failed("Apple does not know it (\(problem ?? "no code"))")
        case .unavailable, .unauthorized, .contradicted, .tooLarge, .doubted:
            .failed(problem ?? "Apple has not answered")
        }
    }
}
