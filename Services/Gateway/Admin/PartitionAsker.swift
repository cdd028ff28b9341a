import Contracts
import Domain

/// Asks the partitions for the desk, through the gateway's own sockets.
struct PartitionAsker: DeskAsker {
    /// Timeout of a reply, ms; an operator waits.
    static let replyMilliseconds: Int64 = 3_000

    let partitions: Partitions

    var everywhere: [PartitionAddress] { partitions.all }

    @concurrent func answer<Question: RequestContract>(
        to question: Question,
        of partition: PartitionAddress
    ) async -> Question.Reply? {
        do {
            let timeout = Self.replyMilliseconds
            return try await partitions.ask(question, of: partition, subject: "-", within: timeout)
        } catch {
            return nil
        }
    }
}
