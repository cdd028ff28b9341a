import Contracts
import Delivery

/// What reconciling says to the group; tests answer it from a script.
protocol GroupConversation: Sendable {
    /// How many partitions each service has.
    var partitions: Int { get }

    /// Asks one partition; its answer is of use for so many milliseconds.
    ///
    /// - Throws: `CommandFailure` in words for the operator.
    func ask<Question: Request>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64
    ) async throws -> Question.Reply

    /// Lets some time pass between two looks at the same thing.
    func pause() async throws
}

extension GroupConversation {
    /// Asks one partition for something that it knows itself.
    func ask<Question: Request>(
        _ question: Question,
        of address: PartitionAddress
    ) async throws -> Question.Reply {
        try await ask(question, of: address, within: PartitionInquiry.patience)
    }
}

/// The conversation with the group of a home.
struct HomeConversation: GroupConversation {
    let inquiry: PartitionInquiry

    var partitions: Int { inquiry.partitions }

    func ask<Question: Request>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64
    ) async throws -> Question.Reply {
        try await inquiry.ask(question, of: address, within: milliseconds)
    }

    func pause() async throws { try await Task.sleep(for: SettlingWatch.pause) }
}
