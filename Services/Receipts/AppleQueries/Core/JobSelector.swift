/// Chooses the jobs of a queue that start now.
///
/// Offered in this order: notification history, reconciliations, consumption requests, queries by their urgency (named,
/// awaited, free, background), renewal checks. A place is kept for a proof.
struct JobSelector {
    /// Total size of proofs after which no further one is read at once, bytes.
    private static let maximumProofBytes = 4 << 20

    private let queue: AppleQueryQueue
    private let limit: Int
    private let underWay: Set<String>
    /// The keys of jobs that are not chosen, or not again.
    private var passedOver: Set<String>
    /// Whether the last place is kept free.
    var isKeepingPlace = false
    private var proofBytes = 0
    private(set) var jobs: [AppleJob] = []
    /// Rows that cannot be read, and why: each fails alone, and rests.
    private(set) var unreadable: [(id: String, fault: String)] = []

    init(_ queue: AppleQueryQueue, limit: Int, underWay: Set<String>, excluding passedOver: Set<String>) {
        self.queue = queue
        self.limit = limit
        self.underWay = underWay.filter { $0.hasPrefix(queue.prefix) }
        self.passedOver = passedOver.filter { $0.hasPrefix(queue.prefix) }
    }

    var count: Int { jobs.count + unreadable.count }

    var isFull: Bool { count >= limit - (isKeepingPlace ? 1 : 0) }

    /// Rows to read so that enough remain besides those that are passed over.
    var rowLimit: Int { limit - count + passedOver.count }

    func isUnderWay(_ kind: AppleQuery.Kind) -> Bool {
        underWay.contains { $0.hasPrefix("\(queue.prefix)\(kind.rawValue)/") }
    }

    func accepts(_ id: String, carriesProof: Bool = false) -> Bool {
        !isFull && !passedOver.contains(queue.prefix + id)
            && !(carriesProof && proofBytes >= Self.maximumProofBytes)
    }

    mutating func add(unreadable id: String, _ fault: String) {
        unreadable.append((id, fault))
        passedOver.insert(queue.prefix + id)
    }

    mutating func add(_ job: AppleJob) {
        jobs.append(job)
        passedOver.insert(queue.prefix + job.id)
        proofBytes += job.proofBytes
    }
}
