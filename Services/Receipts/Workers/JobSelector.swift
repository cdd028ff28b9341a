import Contracts
import Database
import Delivery
import ReceiptsCore

/// What a partition wants to ask in one queue: first what somebody waits for, then what may have been missed.
struct JobSelector {
    private let queue: AppleQueue
    private let connection: any Connection
    private let partition: Int
    private let now: Timestamp
    private let inHand: Set<String>
    private let worker: AppleWorker

    init(
        _ queue: AppleQueue,
        of partition: Int,
        _ connection: any Connection,
        now: Timestamp,
        excluding inHand: Set<String>,
        _ worker: AppleWorker
    ) {
        self.queue = queue
        self.connection = connection
        self.partition = partition
        self.now = now
        self.inHand = inHand
        self.worker = worker
    }

    /// The items that are due and not in hand.
    func items(limit: Int) throws -> [WorkItem] {
        var items: [WorkItem] = []
        let sources: [(Int) throws -> [AppleJob]] = [
            { _ in try readings() }, { try queries(.awaited, $0) }, { try queries(.background, $0) },
            { try renewalChecks($0) }, { _ in try reconciliations() },
        ]
        for source in sources where items.count < limit {
            items += try source(limit - items.count).prefix(limit - items.count).map { try $0.item() }
        }
        return items
    }

    private func isFree(_ id: String) -> Bool { !inHand.contains(queue.prefix + id) }

    /// When the next item will be due that is not yet.
    func nextDue() throws -> Timestamp? {
        var moments = [try AppleQueryStore(connection: connection).nextDue(queue, after: now)]
        if asksServerAPI {
            moments.append(try RenewalCheckStore(connection: connection).nextDue(queue.bundleID, after: now))
            for environment in readEnvironments {
                let reading = try HistoryCursorStore(connection: connection)
                    .reading(queue.bundleID, environment)
                moments.append(
                    reading?.nextDue(started: worker.started, every: worker.readingInterval)
                )
            }
        }
        return moments.compactMap(\.self).filter { $0 > now }.min()
    }

    // MARK: Sources

    /// Whether this is the queue of an app for which a key is configured.
    private var asksServerAPI: Bool {
        queue.api == .serverAPI
            && worker.policies[queue.bundleID]?.apis.contains(.serverAPI) == true
    }

    private func queries(_ urgency: AppleQueryRecord.Urgency, _ limit: Int) throws -> [AppleJob] {
        let store = AppleQueryStore(connection: connection)
        var rows = try store.due(queue, urgency, now: now, limit: limit + inHand.count)
        if rows.isEmpty, let next = try store.nextDue(queue, after: now),
            now.advanced(by: Self.longestPause) < next
        {
            // No pause is so long: the clock was put back.
            rows = try store.due(queue, urgency, now: next, limit: limit + inHand.count)
        }
        var jobs: [AppleJob] = []
        var rest = Self.bytesInOneGo
        for row in rows where isFree(row.id) && jobs.count < limit && rest > 0 {
            let job = AppleJob(row, partition, try kind(of: row))
            rest -= job.proofBytes
            jobs.append(job)
        }
        return jobs
    }

    /// Bytes of proofs after which no further one is taken in hand at once.
    private static let bytesInOneGo = 4 << 20
    /// A query rests no longer than so many ms.
    private static let longestPause: Int64 = 2 * 3_600_000

    private func kind(of row: AppleQueryRecord) throws -> AppleJob.Kind {
        switch row.subject {
        case .proof(let receipt): return .proof(try proof(receipt))
        case .confirmation(let receipt, _):
            let store = SubmissionStore(connection: connection)
            let identifiers =
                try store.step(receipt)?.transactionIDs.map(TransactionID.init(unchecked:)) ?? []
            return .confirmation(try proof(receipt), identifiers)
        case .history(let history): return .history(history)
        }
    }

    /// The proof of a submission; an empty one if it is gone, whose query then ends.
    private func proof(_ receipt: ReceiptID) throws -> ProofPart {
        let record = try SubmissionStore(connection: connection).record(receipt)
        return ProofPart(kind: record?.proof.kind ?? .appReceipt, text: record?.proof.text ?? "")
    }

    /// The environments whose notifications this partition reads for the app: one partition does it for all.
    private var readEnvironments: [Environment] {
        guard asksServerAPI, let policy = worker.policies[queue.bundleID],
            Shard(notification: queue.bundleID.rawValue).partition(of: worker.partitions) == partition
        else { return [] }
        return [.production, .sandbox].filter(policy.environments.contains)
    }

    private func readings() throws -> [AppleJob] {
        try readEnvironments.compactMap { environment in
            let store = HistoryCursorStore(connection: connection)
            let reading = try store.reading(queue.bundleID, environment)
            let beginning = HistoryCursor.Span(from: now, to: now, onlyFailures: false)
            let span =
                if let reading {
                    reading.due(
                        environment,
                        now: now,
                        started: worker.started,
                        every: worker.readingInterval
                    )
                } else {
                    beginning
                }
            let id = "notifications/\(environment.rawValue)"
            guard let span, isFree(id) else { return nil }
            return job(id, .notifications(NotificationSpan(environment: environment, span: span)))
        }
    }

    private func renewalChecks(_ limit: Int) throws -> [AppleJob] {
        guard asksServerAPI else { return [] }
        let due = try RenewalCheckStore(connection: connection)
            .due(queue.bundleID, now: now, limit: limit + inHand.count)
        return due.compactMap { renewalCheck in
            let id =
                "renewalCheck/\(renewalCheck.environment.rawValue)/\(renewalCheck.transactionId.rawValue)"
            return isFree(id) ? job(id, .renewalCheck(renewalCheck)) : nil
        }
    }

    private func reconciliations() throws -> [AppleJob] {
        guard queue.api == .serverAPI else { return [] }
        return try ReconciliationStore(connection: connection).jobs(queue.bundleID).compactMap { job in
            let id = "reconciliation/\(job.id)"
            return isFree(id) ? job.lookup.map { self.job(id, .reconciliation($0)) } : nil
        }
    }

    private func job(_ id: String, _ kind: AppleJob.Kind) -> AppleJob {
        AppleJob(
            id: id,
            of: queue.bundleID,
            to: queue.api,
            partition: partition,
            askedAt: now,
            kind
        )
    }
}

extension AppleJob {
    /// The size of the proof that it carries.
    fileprivate var proofBytes: Int {
        switch kind {
        case .proof(let proof), .confirmation(let proof, _): proof.text.utf8.count
        case .history, .notifications, .reconciliation, .renewalCheck: 0
        }
    }

    /// The next attempt with a query.
    fileprivate init(_ row: AppleQueryRecord, _ partition: Int, _ kind: Kind) {
        self.init(
            id: row.id,
            of: row.bundleID,
            to: row.query.api,
            partition: partition,
            askedAt: row.askedAt,
            kind
        )
        attempts = row.query.attempts
        refusals = row.query.refusals
        troubles = row.troubles
    }
}
