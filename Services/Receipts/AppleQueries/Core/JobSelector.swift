/// Chooses the jobs of a queue that start now.
///
/// Offered in this order: notification history, reconciliations, consumption requests, awaited queries, background
/// queries, renewal checks.
struct JobSelector {
    /// Total size of proofs after which no further one is read at once, bytes.
    private static let maximumProofBytes = 4 << 20

    private let queue: AppleQueryQueue
    private let limit: Int
    private let keysInHand: Set<String>
    private var proofBytes = 0
    private(set) var jobs: [AppleJob] = []
    /// The ids of queries that cannot be read: each fails alone, and rests.
    private(set) var unreadable: [String] = []

    init(_ queue: AppleQueryQueue, limit: Int, excluding keysInHand: Set<String>) {
        self.queue = queue
        self.limit = limit
        self.keysInHand = keysInHand
    }

    var count: Int { jobs.count + unreadable.count }

    var isFull: Bool { count >= limit }

    /// Rows to read so that enough remain besides those in progress.
    var rowLimit: Int { limit - count + keysInHand.count }

    func accepts(_ id: String, carriesProof: Bool = false) -> Bool {
        !isFull && !keysInHand.contains(queue.prefix + id)
            && !(carriesProof && proofBytes >= Self.maximumProofBytes)
    }

    mutating func add(unreadable id: String) { unreadable.append(id) }

    mutating func add(_ job: AppleJob) {
        jobs.append(job)
        proofBytes += job.proofBytes
    }
}
