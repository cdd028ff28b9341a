package import Contracts

/// Who asks the partitions of a group.
package protocol DeskAsker: Sendable {
    /// Every partition.
    var everywhere: [PartitionAddress] { get }
    /// The reply of a partition; nil when it did not answer.
    @concurrent func answer<Question: RequestContract>(
        to question: Question,
        of partition: PartitionAddress
    ) async -> Question.Reply?
}

extension DeskAsker {
    /// The replies of some partitions, asked side by side, and those that did not answer.
    package func answers<Question: RequestContract>(
        to question: Question,
        of partitions: [PartitionAddress]
    ) async -> (replies: [Question.Reply], missed: Set<PartitionAddress>) {
        await withTaskGroup(of: (PartitionAddress, Question.Reply?).self) { group in
            for address in partitions {
                group.addTask { (address, await self.answer(to: question, of: address)) }
            }
            var (replies, missed): ([PartitionAddress: Question.Reply], Set<PartitionAddress>) = ([:], [])
            for await (address, reply) in group {
                if let reply { replies[address] = reply } else { missed.insert(address) }
            }
            return (replies.sorted { $0.key < $1.key }.map(\.value), missed)
        }
    }
}
