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
        let kept = try keptProof(selector)
        selector.isKeepingPlace = kept != nil
        for environment in readEnvironments { try selectReading(environment, &selector) }
        if queue.api == .serverAPI { try selectReconciliations(&selector) }
        if asksServerAPI { try selectConsumptionRequests(&selector) }
        for urgency in [AppleQuery.Urgency.named, .awaited] { try selectQueries(urgency, &selector) }
        selector.isKeepingPlace = false
        if let (id, query) = kept { try add(query, id, to: &selector) { try job($0) } }
        for urgency in [AppleQuery.Urgency.free, .background] { try selectQueries(urgency, &selector) }
        if asksServerAPI { try selectRenewalChecks(&selector) }
    }

    /// The proof that has a place of its own: questions about genuine receipts may never end, and a proof that only
    /// Apple can confirm may be genuine, too.
    private func keptProof(_ selector: JobSelector) throws(StoreError) -> AppleQueryStore.Due? {
        guard !selector.isUnderWay(.proof) else { return nil }
        let others = AppleQuery.Kind.allCases.filter { $0 != .proof } + restingKinds
        let store = AppleQueryStore(connection: connection)
        let proofs = try store.due(queue, .free, now: now, limit: selector.rowLimit, without: others)
        return proofs.first { selector.accepts($0.key, carriesProof: true) }
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
            guard case .readable(let cursor) = try self.cursor(environment) else { continue }
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
        try add(cursor(environment), id, to: &selector) { cursor in
            reading(environment, cursor).flatMap { job(id, .serverNotifications(environment, $0)) }
        }
    }

    private func reading(_ environment: Environment, _ cursor: HistoryCursor?) -> HistoryCursor.Span? {
        guard let cursor else { return HistoryCursor.Span(from: now, to: now, onlyFailures: false) }
        let (started, interval) = (settings.started, settings.readingInterval)
        return cursor.due(environment, now: now, started: started, every: interval)
    }

    private func cursor(_ environment: Environment) throws(StoreError) -> StoredContent<HistoryCursor?> {
        let store = HistoryCursorStore(connection: connection)
        return try StoredContent(environment) { (environment: Environment) throws(StoreError) in
            try store.cursor(queue.bundleID, environment)
        }
    }

    private func selectRenewalChecks(_ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        let checks = try RenewalCheckStore(connection: connection)
            .due(queue.bundleID, now: now, limit: selector.rowLimit)
        for (key, facts) in checks {
            let id = "renewal/\(key.environment.rawValue)/\(key.purchaseID.rawValue)"
            try add(facts, id, to: &selector) { facts in
                RenewalCheck(facts).flatMap { job(id, .renewalCheck($0)) }
            }
        }
    }

    private func selectConsumptionRequests(_ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        let requests = try ConsumptionRequestStore(connection: connection)
            .due(queue.bundleID, now: now, limit: selector.rowLimit)
        for (key, request) in requests {
            let id = "consumption/\(key.environment.rawValue)/\(key.transactionID.rawValue)"
            try add(request, id, to: &selector) { request in
                job(id, .consumption(key, request.report(at: now)), askedAt: request.askedAt)
            }
        }
    }

    private func selectReconciliations(_ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        for (name, reconciliation) in try ReconciliationStore(connection: connection).jobs(queue.bundleID) {
            let id = "reconciliation/\(name)"
            try add(reconciliation, id, to: &selector) { reconciliation in
                reconciliation.lookup.flatMap { job(id, .reconciliation($0)) }
            }
        }
    }

    private func selectQueries(_ urgency: AppleQuery.Urgency, _ selector: inout JobSelector) throws {
        guard !selector.isFull else { return }
        let store = AppleQueryStore(connection: connection)
        let resting = urgency == .named ? [] : restingKinds
        let queries = try store.due(queue, urgency, now: now, limit: selector.rowLimit, without: resting)
        for (id, query) in queries {
            try add(query, id, carriesProof: true, to: &selector) { try job($0) }
        }
    }

    /// Adds what is made of a row, if there is a place for it.
    private func add<Content>(
        _ content: StoredContent<Content>,
        _ id: String,
        carriesProof: Bool = false,
        to selector: inout JobSelector,
        _ made: (Content) throws -> AppleJob?
    ) throws {
        guard selector.accepts(id, carriesProof: carriesProof) else { return }
        switch content {
        case .readable(let content):
            do {
                if let job = try made(content) { selector.add(job) }
            } catch StoreError.corrupt(let fault) {
                // Another row that it needs.
                selector.add(unreadable: id, fault)
            }
        case .unreadable(let fault): selector.add(unreadable: id, fault)
        }
    }

    /// Kinds of queries that wait for an endpoint.
    private var restingKinds: [AppleQuery.Kind] {
        AppleQuery.Kind.allCases.filter { !$0.endpoints.isDisjoint(with: paused) }
    }

    private func job(_ query: AppleQuery) throws -> AppleJob {
        let kind: AppleJob.Kind
        switch query.subject {
        case .proof(let receipt): kind = .proof(try proof(receipt))
        case .evidence(let receipt, _, let environment):
            let identifiers = try SubmissionStore(connection: connection).transactionIDs(receipt)
            let text = query.api == .verifyReceipt ? try proof(receipt) : nil
            kind = .evidence(text, identifiers.map(TransactionID.init(unchecked:)), environment)
        case .claimEvidence(let claim): kind = .claimEvidence(claim.environment, claim.transactionId)
        case .history(let history): kind = .history(history)
        case .order(let order): kind = .order(order)
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

    /// Nil while an endpoint that it asks pauses.
    private func job(_ id: String, _ kind: AppleJob.Kind, askedAt: Timestamp? = nil) -> AppleJob? {
        guard kind.endpoints.isDisjoint(with: paused) else { return nil }
        return AppleJob(id: id, queue: queue, partition: partition, askedAt: askedAt ?? now, kind: kind)
    }
}
