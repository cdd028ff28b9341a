import Contracts
import Database
import Delivery
import Domain
import ReceiptsCore

/// What a partition wants to ask in one lane: first what somebody waits for, then what may have been missed.
struct LaneAgenda {
    private let lane: Lane
    private let connection: any Connection
    private let partition: Int
    private let now: Timestamp
    private let inHand: Set<String>
    private let worker: AppleWorker

    init(
        _ lane: Lane,
        of partition: Int,
        _ connection: any Connection,
        now: Timestamp,
        excluding inHand: Set<String>,
        _ worker: AppleWorker
    ) {
        self.lane = lane
        self.connection = connection
        self.partition = partition
        self.now = now
        self.inHand = inHand
        self.worker = worker
    }

    /// The items that are due and not in hand.
    func items(limit: Int) throws -> [WorkItem] {
        var items: [WorkItem] = []
        let sources: [(Int) throws -> [Errand]] = [
            { _ in try readings() }, { try questions(.awaited, $0) }, { try questions(.background, $0) },
            { try lapses($0) },
        ]
        for source in sources where items.count < limit {
            items += try source(limit - items.count).prefix(limit - items.count).map { try $0.item() }
        }
        return items
    }

    private func isFree(_ id: String) -> Bool { !inHand.contains(lane.prefix + id) }

    /// When the next item will be due that is not yet.
    func nextDue() throws -> Timestamp? {
        var moments = [try QuestionStore(connection: connection).nextDue(lane, after: now)]
        if asksServerAPI {
            moments.append(try SubscriptionWatches(connection: connection).nextDue(lane.bundleID, after: now))
            for environment in readEnvironments {
                let reading = try NotificationReadingStore(connection: connection)
                    .reading(lane.bundleID, environment)
                moments.append(
                    reading?.nextDue(started: worker.started, every: worker.readingInterval)
                )
            }
        }
        return moments.compactMap(\.self).filter { $0 > now }.min()
    }

    // MARK: Sources

    /// Whether this is the lane of an app for which a key is configured.
    private var asksServerAPI: Bool {
        lane.authority == .serverAPI
            && worker.policies[lane.bundleID]?.authorities.contains(.serverAPI) == true
    }

    private func questions(_ urgency: QuestionRow.Urgency, _ limit: Int) throws -> [Errand] {
        let store = QuestionStore(connection: connection)
        var rows = try store.due(lane, urgency, now: now, limit: limit + inHand.count)
        if rows.isEmpty, let next = try store.nextDue(lane, after: now),
            now.advanced(by: Self.longestPause) < next
        {
            // No pause is so long: the clock was put back.
            rows = try store.due(lane, urgency, now: next, limit: limit + inHand.count)
        }
        var errands: [Errand] = []
        var rest = Self.bytesInOneGo
        for row in rows where isFree(row.id) && errands.count < limit && rest > 0 {
            let errand = Errand(row, partition, try matter(of: row))
            rest -= errand.proofBytes
            errands.append(errand)
        }
        return errands
    }

    /// Bytes of proofs after which no further one is taken in hand at once.
    private static let bytesInOneGo = 4 << 20
    /// A question rests no longer than so many ms.
    private static let longestPause: Int64 = 2 * 3_600_000

    private func matter(of row: QuestionRow) throws -> Errand.Matter {
        switch row.subject {
        case .proof(let receipt): return .proof(try proof(receipt))
        case .confirmation(let receipt, _):
            let store = SubmissionStore(connection: connection)
            let identifiers =
                try store.step(receipt)?.transactionIDs.map(TransactionID.init(unchecked:)) ?? []
            return .confirmation(try proof(receipt), identifiers)
        case .history(let history): return .history(history)
        case .operator(let ask, _): return .operator(ask)
        }
    }

    /// The proof of a submission; an empty one if it is gone, whose question then ends.
    private func proof(_ receipt: ReceiptID) throws -> ProofPart {
        let record = try SubmissionStore(connection: connection).record(receipt)
        return ProofPart(kind: record?.proof.kind ?? .appReceipt, text: record?.proof.text ?? "")
    }

    /// The environments whose notifications this partition reads for the app: one partition does it for all.
    private var readEnvironments: [Environment] {
        guard asksServerAPI, let policy = worker.policies[lane.bundleID],
            Shard(hashing: lane.bundleID.rawValue).partition(of: worker.partitions) == partition
        else { return [] }
        return [.production, .sandbox].filter(policy.environments.contains)
    }

    private func readings() throws -> [Errand] {
        try readEnvironments.compactMap { environment in
            let store = NotificationReadingStore(connection: connection)
            let reading = try store.reading(lane.bundleID, environment)
            let beginning = NotificationReading.Span(from: now, to: now, onlyFailures: false)
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
            return errand(id, .notifications(NotificationSpan(environment: environment, span: span)))
        }
    }

    private func lapses(_ limit: Int) throws -> [Errand] {
        guard asksServerAPI else { return [] }
        let due = try SubscriptionWatches(connection: connection)
            .due(lane.bundleID, now: now, limit: limit + inHand.count)
        return due.compactMap { lapse in
            let id = "lapse/\(lapse.environment.rawValue)/\(lapse.transactionId.rawValue)"
            return isFree(id) ? errand(id, .lapse(lapse)) : nil
        }
    }

    private func errand(_ id: String, _ matter: Errand.Matter) -> Errand {
        Errand(
            id: id,
            of: lane.bundleID,
            to: lane.authority,
            partition: partition,
            askedAt: now,
            matter
        )
    }
}

extension Errand {
    /// The size of the proof that it carries.
    fileprivate var proofBytes: Int {
        switch matter {
        case .proof(let proof), .confirmation(let proof, _): proof.text.utf8.count
        case .history, .notifications, .operator, .lapse: 0
        }
    }

    /// The next attempt with a question.
    fileprivate init(_ row: QuestionRow, _ partition: Int, _ matter: Matter) {
        self.init(
            id: row.id,
            of: row.bundleID,
            to: row.question.authority,
            partition: partition,
            askedAt: row.askedAt,
            matter
        )
        attempts = row.question.attempts
        refusals = row.question.refusals
        troubles = row.troubles
    }
}
