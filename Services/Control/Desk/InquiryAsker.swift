import Contracts
import Domain
import Program

/// Asks the partitions of a home for the desk.
struct InquiryAsker: DeskAsker {
    let inquiry: PartitionInquiry

    var everywhere: [PartitionAddress] { inquiry.addresses() }

    @concurrent func answer<Question: RequestContract>(
        to question: Question,
        of partition: PartitionAddress
    ) async -> Question.Reply? {
        do { return try await inquiry.ask(question, of: partition) } catch { return nil }
    }
}
