import AppStore
import Contracts
import Database
import Delivery
import FoundationEssentials

/// Runs the partitions' jobs with Apple, each committed before it starts.
///
/// The queries of a paused queue, or endpoint, stay in the store; the others go on.
struct AppleWorker: OutsideWorker {
    static let concurrencyOfQueue = 16
    /// More of a queue's jobs in hand, for purchases for which an order is named.
    static let placesForNamed = 4
    /// Most jobs with Apple in hand.
    static let concurrencyOfApple = 64
    /// The place that jobs with Apple leave to the monitor of revocations, however slow Apple is.
    static let reserved = 1
    let concurrency = AppleWorker.concurrencyOfApple + AppleWorker.reserved

    let settings: AppleSettings
    let submissions: SubmissionWorkflow
    let serverNotifications: ServerNotificationWorkflow

    var policies: [BundleID: AppPolicy] { submissions.policies }

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        underWay: Set<String>,
        excluding passedOver: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        var items: [WorkItem] = []
        var room = limit - Self.reserved
        var next: [Timestamp?] = []
        for queue in queues {
            let (access, place) = (settings.access, partition.partition)
            let end = access.pauseEnd(of: queue, partition: place, now: now)
            let paused = access.pausedEndpoints(of: queue, partition: place, now: now)
            let taken = underWay.count { $0.hasPrefix(queue.prefix) }
            var free = min(Self.concurrencyOfQueue - taken, room)
            let isOpen = end == nil && free > 0
            if !isOpen { free = min(Self.concurrencyOfQueue + Self.placesForNamed - taken, room) }
            next += [end, paused.values.min()]
            guard free > 0 else { continue }
            var selector = JobSelector(queue, limit: free, underWay: underWay, excluding: passedOver)
            let due = DueJobs(
                queue: queue,
                policy: policies[queue.bundleID],
                settings: settings,
                partition: place,
                paused: Set(paused.keys),
                connection: connection,
                now: now
            )
            try isOpen ? due.select(&selector) : due.selectNamed(&selector)
            items += try selector.jobs.map { try $0.item() }
            items += try selector.unreadable.map { row in
                try AppleJobPayload.unreadable(row.fault).item(queue.prefix + row.id)
            }
            room -= selector.count
            if !selector.isFull { next.append(try isOpen ? due.next() : due.nextNamed()) }
        }
        // Last, because it counts as done from here on: a fault above must not skip a round.
        if let item = settings.revocations.item(now: now) { items.append(item) }
        next.append(settings.revocations.nextDue)
        return (items, next.compactMap(\.self).min())
    }

    private var queues: [AppleQueryQueue] {
        policies.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { bundleID in
            AppleAPI.allCases.map { AppleQueryQueue(bundleID: bundleID, api: $0) }
        }
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] {
        guard item.key != RevocationMonitor.key else {
            return Array(await settings.revocations.check().joined(separator: "\n").utf8)
        }
        do {
            return try await result(of: try AppleJob(item)).bytes()
        } catch {
            return []
        }
    }

    private func result(of job: AppleJob) async -> AppleJobResult {
        switch (job.kind, job.queue.api) {
        case (.proof(let proof), .serverAPI): await lookUp(proof, job)
        case (.proof(let proof), .verifyReceipt), (.evidence(let proof?, _, _), .verifyReceipt):
            await verify(proof, job)
        case (.evidence(nil, _, _), .verifyReceipt): .found()
        case (.evidence(_, let identifiers, let environment), .serverAPI):
            await evidence(of: identifiers, environment, job)
        case (.claimEvidence(let environment, let transaction), _):
            await evidence(of: transaction, environment, job)
        case (.history(let query), _): await transactions(query, job)
        case (.order(let order), _): await transactions(of: order, job)
        case (.serverNotifications(let environment, let span), _):
            await serverNotifications(environment, span, job)
        case (.reconciliation(let lookup), _): await findings(lookup, job)
        case (.renewalCheck(let check), _): await periods(check, job)
        case (.consumption(let key, let report?), _): await tell(report, about: key, job)
        case (.consumption, _): .found()
        }
    }

    var access: AppleAccess { settings.access }

    var verifiers: AppleVerifiers { settings.verifiers }

    /// The transaction in a JWS; nil if Apple did not sign it.
    func genuine(in jws: String) -> SignedTransaction? {
        do throws(VerificationFailure) {
            return try verifiers.transactions.verify(jws, now: access.clock.now())
        } catch {
            return nil
        }
    }

    /// Apple's servers that may know an app's purchases, or those of a receipt that states its environment.
    func servers(of job: AppleJob, _ environment: Environment? = nil) -> [AppleServer] {
        if let environment { return [environment.server] }
        let environments = policies[job.queue.bundleID]?.environments
        return AppleServer.allCases.filter { environments?.contains($0.environment) ?? true }
    }

    func finish(_ item: WorkItem, result: [UInt8], in context: HandlerContext) throws {
        guard item.key == RevocationMonitor.key else {
            let results = AppleJobResults(
                submissions: submissions,
                serverNotifications: serverNotifications,
                context: context
            )
            return try results.finish(try AppleJob(item), try AppleJobResult(bytes: result))
        }
        for line in String(decoding: result, as: UTF8.self).split(separator: "\n") {
            context.alarm(.certificateRevoked, String(line))
        }
    }
}

/// What an item of the worker carries.
private enum AppleJobPayload: Codable {
    case job(AppleJob)
    /// Why the row cannot be read: its result can be written no more.
    case unreadable(String)

    func item(_ key: String) throws -> WorkItem {
        WorkItem(key: key, payload: [UInt8](try JSONEncoder().encode(self)))
    }
}

extension AppleJob {
    func item() throws -> WorkItem { try AppleJobPayload.job(self).item(queue.prefix + id) }

    /// - Throws: `StoreError.corrupt` where the row of the job cannot be read; `DecodingError`.
    init(_ item: WorkItem) throws {
        switch try EventDecoder().decode(AppleJobPayload.self, from: item.payload) {
        case .job(let job): self = job
        case .unreadable(let fault): throw StoreError.corrupt(fault)
        }
    }
}

extension AppleJobResult {
    func bytes() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    init(bytes: [UInt8]) throws { self = try EventDecoder().decode(AppleJobResult.self, from: bytes) }
}
