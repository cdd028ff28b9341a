import AppStore
import Contracts
import Database
import Delivery
import ReceiptsCore

/// What is needed to ask Apple.
struct AppleQuestions: Sendable {
    let access: AppleAccess
    let partitions: Int
    /// ms between two readings of what Apple could not deliver.
    let readingInterval: Int64
    let verifiers: AppleVerifiers
    let revocations: RevocationWatch
    /// When the process began: what Apple sent since the last reading is read once by each.
    let started: Timestamp

    /// What is asked by a process that begins now.
    init(
        access: AppleAccess,
        partitions: Int,
        readingInterval: Int64,
        verifiers: AppleVerifiers,
        revocations: RevocationWatch? = nil
    ) {
        self.access = access
        self.partitions = partitions
        self.readingInterval = readingInterval
        self.verifiers = verifiers
        self.revocations = revocations ?? RevocationWatch(verifiers, clock: access.clock)
        started = access.clock.now()
    }
}

/// Asks Apple what the partitions want to know; every question is committed before it is asked.
///
/// Between two questions it lets go of proofs whose time is over.
///
/// While a lane rests because Apple does not answer, its questions lie in the store and cost nothing; those of other
/// lanes go on.
struct AppleWorker: OutsideWorker {
    /// Calls of one lane under way at a time per partition.
    static let concurrencyOfLane = 16
    /// Calls under way at a time per partition.
    let concurrency = 64

    let access: AppleAccess
    let policies: [BundleID: AppPolicy]
    let partitions: Int
    /// When the process began.
    let started: Timestamp
    /// ms between two readings of what Apple could not deliver.
    let readingInterval: Int64
    private let revocations: RevocationWatch
    private let retention: RetentionRound
    private let errands: ErrandRunner
    private let results: ErrandResults

    /// A worker whose findings travel these roads.
    init(
        _ questions: AppleQuestions,
        _ submissions: SubmissionRoad,
        _ notifications: NotificationRoad,
        _ retention: RetentionRound
    ) {
        self.retention = retention
        access = questions.access
        policies = submissions.policies
        partitions = questions.partitions
        started = questions.started
        readingInterval = questions.readingInterval
        revocations = questions.revocations
        errands = ErrandRunner(questions, policies: submissions.policies)
        results = ErrandResults(submissions: submissions, notifications: notifications)
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
        let lanes = policies.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { bundleID in
            Authority.allCases.map { Lane(bundleID: bundleID, authority: $0) }
        }
        for lane in lanes {
            if let end = access.pauseEnd(of: lane, partition: partition.partition, now: now) {
                next = min(next ?? end, end)
                continue
            }
            let underWay = inHand.count { $0.hasPrefix(lane.prefix) }
            let room = min(Self.concurrencyOfLane - underWay, limit - items.count)
            guard room > 0 else { continue }
            let agenda = LaneAgenda(
                lane,
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
        guard item.key != RetentionRound.key else { return [] }
        guard item.key != RevocationWatch.key else {
            return Array(await revocations.check().joined(separator: "\n").utf8)
        }
        do {
            return try await errands.report(try Errand(item)).bytes()
        } catch {
            return []
        }
    }

    func finish(_ item: WorkItem, result: [UInt8], in context: inout HandlerContext) throws {
        guard item.key != RetentionRound.key else { return try retention.run(in: &context) }
        guard item.key != RevocationWatch.key else {
            for line in String(decoding: result, as: UTF8.self).split(separator: "\n") {
                context.alarm(String(line))
            }
            return
        }
        try results.take(try ErrandReport(bytes: result), of: try Errand(item), in: &context)
    }
}

/// Makes one attempt, whatever it is about.
struct ErrandRunner: Sendable {
    private let proofs: ProofInquiry
    private let histories: HistoryInquiry

    init(_ questions: AppleQuestions, policies: [BundleID: AppPolicy]) {
        let servers = policies.mapValues { policy in
            AppleServer.allCases.filter { policy.environments.contains($0.environment) }
        }
        proofs = ProofInquiry(
            access: questions.access,
            transactions: questions.verifiers.transactions,
            servers: servers
        )
        histories = HistoryInquiry(
            access: questions.access,
            transactions: questions.verifiers.transactions,
            notifications: questions.verifiers.notifications,
            servers: servers
        )
    }

    func report(_ errand: Errand) async -> ErrandReport {
        switch errand.matter {
        case .proof(let proof): await proofs.report(errand, about: proof)
        case .confirmation(let proof, let identifiers):
            switch errand.authority {
            case .serverAPI: await histories.confirmation(errand, identifiers)
            case .verifyReceipt: await proofs.report(errand, about: proof)
            }
        case .history(let question): await histories.history(errand, question)
        case .notifications(let span): await histories.notifications(errand, span)
        case .operator(let ask): await histories.answer(errand, ask)
        case .lapse(let lapse): await histories.lapse(errand, lapse)
        }
    }
}
