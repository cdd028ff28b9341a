import Contracts

/// What partitions answered to one question, and which did not.
struct PartitionAnswers<Reply: Sendable> {
    private(set) var replies: [PartitionAddress: Reply] = [:]
    private(set) var missed = MissedPartitions()

    init(_ answers: [PartitionAddress: Result<Reply, CommandFailure>]) {
        for (address, answer) in answers {
            switch answer {
            case .success(let reply): replies[address] = reply
            case .failure(let failure): missed.note(address, failure)
            }
        }
    }

    /// Those that were asked.
    var addresses: [PartitionAddress] { Array(replies.keys) + missed.failures.keys }

    /// In the order of the partitions.
    var found: [(address: PartitionAddress, reply: Reply)] {
        replies.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
