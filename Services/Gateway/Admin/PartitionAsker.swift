import Contracts
import Domain

/// Asks the partitions for the desk, through the gateway's own sockets.
struct PartitionAsker: DeskAsker {
    /// Timeout of a reply, ms; an operator waits, and is told which partition is missing.
    static let replyMilliseconds: Int64 = 3_000

    let partitions: Partitions
    /// Timeout of a reply, ms.
    private let milliseconds: Int64

    init(partitions: Partitions) {
        (self.partitions, milliseconds) = (partitions, Self.replyMilliseconds)
    }

    /// For what is refused where a partition does not answer: it waits until a partition has changed its owner.
    init(forDecisionsOf partitions: Partitions) {
        (self.partitions, milliseconds) = (partitions, Partitions.replyMilliseconds)
    }

    var everywhere: [PartitionAddress] { partitions.all }

    @concurrent func answer<Question: RequestContract>(
        to question: Question,
        of partition: PartitionAddress
    ) async -> Question.Reply? {
        do {
            return try await partitions.ask(question, of: partition, subject: "-", within: milliseconds)
        } catch {
            return nil
        }
    }
}
