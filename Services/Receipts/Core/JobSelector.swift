/// Chooses the jobs of a queue that start now.
///
/// They are offered in this order: pages of the notification history, pages of reconciliations, queries that somebody
/// waits for, queries in the background, renewal checks.
package struct JobSelector {
    /// Bytes of proofs after which no further proof is read at once.
    private static let maximumProofBytes = 4 << 20

    private let queue: AppleQueue
    private let limit: Int
    private let keysInHand: Set<String>
    private var proofBytes = 0
    package private(set) var jobs: [AppleJob] = []

    package init(_ queue: AppleQueue, limit: Int, excluding keysInHand: Set<String>) {
        self.queue = queue
        self.limit = limit
        self.keysInHand = keysInHand
    }

    /// Whether no further job may start.
    package var isFull: Bool { jobs.count >= limit }

    /// How many rows to read so that there are enough besides those in hand.
    package var rowLimit: Int { limit - jobs.count + keysInHand.count }

    /// Whether a job of this id may start.
    package func accepts(_ id: String, carriesProof: Bool = false) -> Bool {
        !isFull && !keysInHand.contains(queue.prefix + id)
            && !(carriesProof && proofBytes >= Self.maximumProofBytes)
    }

    /// Takes a job that it accepts.
    package mutating func add(_ job: AppleJob) {
        jobs.append(job)
        proofBytes += job.proofBytes
    }
}
