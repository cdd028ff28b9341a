import AppStore
import Contracts
import Database
import Delivery
import ReceiptsCore

/// What is needed to ask Apple.
struct AppleSettings: Sendable {
    let access: AppleAccess
    let partitions: Int
    /// ms between two readings of what Apple could not deliver.
    let readingInterval: Int64
    let verifiers: AppleVerifiers
    let revocations: RevocationMonitor
    /// When the process began: what Apple sent since the last reading is read once by each.
    let started: Timestamp

    /// What is asked by a process that begins now.
    init(
        access: AppleAccess,
        partitions: Int,
        readingInterval: Int64,
        verifiers: AppleVerifiers,
        revocations: RevocationMonitor? = nil
    ) {
        self.access = access
        self.partitions = partitions
        self.readingInterval = readingInterval
        self.verifiers = verifiers
        self.revocations = revocations ?? RevocationMonitor(verifiers, clock: access.clock)
        started = access.clock.now()
    }
}

/// Asks Apple what the partitions want to know; every query is committed before it is asked.
///
/// Between two queries it lets go of proofs whose time is over.
///
/// While a queue rests because Apple does not answer, its queries lie in the store and cost nothing; those of other
/// queues go on.
struct AppleWorker: OutsideWorker {
    /// Calls of one queue under way at a time per partition.
    static let concurrencyOfQueue = 16
    /// Calls under way at a time per partition.
    let concurrency = 64

    let access: AppleAccess
    let policies: [BundleID: AppPolicy]
    let partitions: Int
    /// When the process began.
    let started: Timestamp
    /// ms between two readings of what Apple could not deliver.
    let readingInterval: Int64
    private let revocations: RevocationMonitor
    private let retention: RetentionSweep
    private let jobs: AppleJobRunner
    private let results: AppleJobResults

    /// A worker whose findings travel these workflows.
    init(
        _ queries: AppleSettings,
        _ submissions: SubmissionWorkflow,
        _ notifications: NotificationWorkflow,
        _ retention: RetentionSweep
    ) {
        self.retention = retention
        access = queries.access
        policies = submissions.policies
        partitions = queries.partitions
        started = queries.started
        readingInterval = queries.readingInterval
        revocations = queries.revocations
        jobs = AppleJobRunner(queries, policies: submissions.policies)
        results = AppleJobResults(submissions: submissions, notifications: notifications)
    }

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        let aged = try retention.due(connection, now: now, excluding: inHand)
        var items = [revocations.item(now: now), aged.item].compactMap(\.self)
        var next: Timestamp? = min(revocations.nextDue, aged.next ?? revocations.nextDue)
        let queues = policies.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { bundleID in
            AppleAPI.allCases.map { AppleQueue(bundleID: bundleID, api: $0) }
        }
        for queue in queues {
            if let end = access.pauseEnd(of: queue, partition: partition.partition, now: now) {
                next = min(next ?? end, end)
                continue
            }
            let underWay = inHand.count { $0.hasPrefix(queue.prefix) }
            let room = min(Self.concurrencyOfQueue - underWay, limit - items.count)
            guard room > 0 else { continue }
            let agenda = JobSelector(
                queue,
                of: partition.partition,
                connection,
                now: now,
                excluding: inHand,
                self
            )
            let found = try agenda.items(limit: room)
            items += found
            guard found.count < room, let due = try agenda.nextDue() else { continue }
            next = min(next ?? due, due)
        }
        return (items, next)
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] {
        guard item.key != RetentionSweep.key else { return [] }
        guard item.key != RevocationMonitor.key else {
            return Array(await revocations.check().joined(separator: "\n").utf8)
        }
        do {
            return try await jobs.report(try AppleJob(item)).bytes()
        } catch {
            return []
        }
    }

    func finish(_ item: WorkItem, result: [UInt8], in context: inout HandlerContext) throws {
        guard item.key != RetentionSweep.key else { return try retention.run(in: &context) }
        guard item.key != RevocationMonitor.key else {
            for line in String(decoding: result, as: UTF8.self).split(separator: "\n") {
                context.alarm(String(line))
            }
            return
        }
        try results.take(try AppleJobResult(bytes: result), of: try AppleJob(item), in: &context)
    }
}

/// Makes one attempt, whatever it is about.
struct AppleJobRunner: Sendable {
    private let proofs: ProofClient
    private let histories: HistoryClient

    init(_ queries: AppleSettings, policies: [BundleID: AppPolicy]) {
        let servers = policies.mapValues { policy in
            AppleServer.allCases.filter { policy.environments.contains($0.environment) }
        }
        proofs = ProofClient(
            access: queries.access,
            transactions: queries.verifiers.transactions,
            servers: servers
        )
        histories = HistoryClient(
            access: queries.access,
            transactions: queries.verifiers.transactions,
            notifications: queries.verifiers.notifications,
            servers: servers
        )
    }

    func report(_ job: AppleJob) async -> AppleJobResult {
        switch job.kind {
        case .proof(let proof): await proofs.report(job, about: proof)
        case .confirmation(let proof, let identifiers):
            switch job.api {
            case .serverAPI: await histories.confirmation(job, identifiers)
            case .verifyReceipt: await proofs.report(job, about: proof)
            }
        case .history(let query): await histories.history(job, query)
        case .notifications(let span): await histories.notifications(job, span)
        case .reconciliation(let lookup): await histories.reconciliation(job, lookup)
        case .renewalCheck(let renewalCheck): await histories.renewalCheck(job, renewalCheck)
        }
    }
}
