import AppStore
import Contracts
import Database
import Delivery
import Domain

struct DueJobs {
    let queue: AppleQueryQueue
    let policy: AppPolicy?
    let settings: AppleSettings
    let partition: Int
    /// What asks one of them waits.
    let paused: Set<Endpoint>
    let connection: any Connection
    let now: Timestamp

    func select(_ selector: inout JobSelector) throws {
        for environment in readEnvironments { try selectReading(environment, &selector) }
        if queue.api == .serverAPI { try selectReconciliations(&selector) }
        if asksServerAPI { try selectConsumptionRequests(&selector) }
        for urgency in AppleQuery.Urgency.allCases { try selectQueries(urgency, &selector) }
        if asksServerAPI { try selectRenewalChecks(&selector) }
    }

    /// Those alone that do not wait while the queue or their endpoint pauses, or the queue is full: somebody has named
    /// an order, and whether Apple answers decides whose the purchase is.
    func selectNamed(_ selector: inout JobSelector) throws { try selectQueries(.named, &selector) }

    func nextNamed() throws -> Timestamp? {
        try AppleQueryStore(connection: connection).nextDue(queue, [.named], after: now)
    }

    func next() throws -> Timestamp? {
        var moments = [try AppleQueryStore(connection: connection).nextDue(queue, after: now)]
        if asksServerAPI {
            moments.append(try RenewalCheckStore(connection: connection).nextDue(queue.bundleID, after: now))
            moments.append(
                try ConsumptionRequestStore(connection: connection).nextDue(queue.bundleID, after: now)
            )
        }
        for environment in readEnvironments {
            let cursor = try HistoryCursorStore(connection: connection).cursor(queue.bundleID, environment)
            let (started, interval) = (settings.started, settings.readingInterval)
            moments.append(cursor?.next(after: now, started: started, every: interval))
        }
        return moments.compactMap(\.self).min()
    }

    private var asksServerAPI: Bool {
        queue.api == .serverAPI && policy?.apis.contains(.serverAPI) == true
    }

    /// The environments whose notifications this partition reads, for the whole app.
    private var readEnvironments: [Environment] {
        let reader = Shard(hashing: queue.bundleID.rawValue).partition(of: settings.access.partitions)
        guard asksServerAPI, let policy, partition == reader else { return [] }
        return [.production, .sandbox].filter(policy.environments.contains)
    }

    private func selectReading(_ environment: Environment, _ selector: inout JobSelector) throws {
        let id = "serverNotifications/\(environment.rawValue)"
        guard selector.accepts(id) else { return }
        let cursor = try HistoryCursorStore(connection: connection).cursor(queue.bundleID, environment)
        let started = settings.started
        let span =
            cursor.map { $0.due(environment, now: now, started: started, every: settings.readingInterval) }
            ?? HistoryCursor.Span(from: now, to: now, onlyFailures: false)
        if let span { add(job(id, .serverNotifications(environment, span)), to: &selector) }
    }

    private func selectRenewalChecks(_ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        let checks = try RenewalCheckStore(connection: connection)
            .due(queue.bundleID, now: now, limit: selector.rowLimit)
        for check in checks {
            let id = "renewal/\(check.environment.rawValue)/\(check.transactionId.rawValue)"
            if selector.accepts(id) { add(job(id, .renewalCheck(check)), to: &selector) }
        }
    }

    private func selectConsumptionRequests(_ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        let requests = try ConsumptionRequestStore(connection: connection)
            .due(queue.bundleID, now: now, limit: selector.rowLimit)
        for request in requests {
            let id = "consumption/\(request.key.environment.rawValue)/\(request.key.transactionID.rawValue)"
            guard selector.accepts(id) else { continue }
            let kind = AppleJob.Kind.consumption(request.key, request.report(at: now))
            add(job(id, kind, askedAt: request.askedAt), to: &selector)
        }
    }

    private func selectReconciliations(_ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        for reconciliation in try ReconciliationStore(connection: connection).jobs(queue.bundleID) {
            let id = "reconciliation/\(reconciliation.id)"
            guard let lookup = reconciliation.lookup, selector.accepts(id) else { continue }
            add(job(id, .reconciliation(lookup)), to: &selector)
        }
    }

    private func selectQueries(_ urgency: AppleQuery.Urgency, _ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        let store = AppleQueryStore(connection: connection)
        let resting = urgency == .named ? [] : restingKinds
        let queries = try store.due(queue, urgency, now: now, limit: selector.rowLimit, without: resting)
        for due in queries where selector.accepts(due.id, carriesProof: true) {
            if let job = try self.job(due) { selector.add(job) } else { selector.add(unreadable: due.id) }
        }
    }

    /// Nil where a row that it needs cannot be read.
    private func job(_ due: AppleQueryStore.Due) throws -> AppleJob? {
        do {
            return try due.query.map { try job($0) }
        } catch StoreError.corrupt {
            return nil
        }
    }

    /// Kinds of queries that wait for an endpoint.
    private var restingKinds: [AppleQuery.Kind] {
        AppleQuery.Kind.allCases.filter { !$0.endpoints.isDisjoint(with: paused) }
    }

    private func add(_ job: AppleJob, to selector: inout JobSelector) {
        if job.kind.endpoints.isDisjoint(with: paused) { selector.add(job) }
    }

    private func job(_ query: AppleQuery) throws -> AppleJob {
        let kind: AppleJob.Kind
        switch query.subject {
        case .proof(let receipt): kind = .proof(try proof(receipt))
        case .evidence(let receipt, _):
            let identifiers = try SubmissionStore(connection: connection).transactionIDs(receipt)
            let text = query.api == .verifyReceipt ? try proof(receipt) : nil
            kind = .evidence(text, identifiers.map(TransactionID.init(unchecked:)))
        case .claimEvidence(let claim): kind = .claimEvidence(claim.environment, claim.transactionId)
        case .history(let history): kind = .history(history)
        }
        return AppleJob(
            id: query.id,
            queue: queue,
            partition: partition,
            askedAt: query.askedAt,
            dueAt: query.dueAt,
            attempts: query.attempts,
            refusals: query.refusals,
            failures: query.failures,
            kind: kind
        )
    }

    /// The proof of a submission; empty if it was deleted, which ends its query.
    private func proof(_ receipt: ReceiptID) throws -> ProofText {
        let record = try SubmissionStore(connection: connection).record(receipt)
        return ProofText(kind: record?.proof.kind ?? .appReceipt, text: record?.proof.text ?? "")
    }

    private func job(_ id: String, _ kind: AppleJob.Kind, askedAt: Timestamp? = nil) -> AppleJob {
        AppleJob(id: id, queue: queue, partition: partition, askedAt: askedAt ?? now, kind: kind)
    }
}
