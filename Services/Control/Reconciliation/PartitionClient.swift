import Contracts
import Delivery

/// Asks the partitions of a group; tests answer from a script.
protocol PartitionClient: Sendable {
    /// How many partitions each service has.
    var partitions: Int { get }

    /// Asks one partition; the timeout is in ms.
    ///
    /// - Throws: `CommandFailure` in words for the operator.
    func ask<Question: Request>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64
    ) async throws -> Question.Reply

    /// Lets some time pass between two polls.
    func pause() async throws
}

extension PartitionClient {
    /// Asks one partition for something that it knows itself.
    func ask<Question: Request>(
        _ question: Question,
        of address: PartitionAddress
    ) async throws -> Question.Reply {
        try await ask(question, of: address, within: PartitionInquiry.patience)
    }
}

extension PartitionInquiry: PartitionClient {
    func pause() async throws { try await Task.sleep(for: PollLimit.pause) }
}

/// Decides when it is of no use to poll claims any longer.
///
/// What was submitted travels over links. It is there when its claim says so; what is parked on its way, because the
/// sandbox is refused for instance, never gets there.
struct PollLimit: Equatable {
    /// Most polls: at their pace 30 s.
    static let maximumPolls = 120
    /// How many polls may find the same before the rest is given up: 3 s.
    static let maximumStillPolls = 12
    /// Pause between two polls.
    static let pause = Duration.milliseconds(250)

    private var polls = 0
    private var stillPolls = 0
    private var underWay: Int?

    /// Takes in a poll, and says whether it was the last: `proposed` claims wait for Orders' answer, and `underWay` is
    /// what was submitted and is not known yet.
    mutating func isReached(proposed: Int, underWay: Int) -> Bool {
        polls += 1
        stillPolls = underWay == self.underWay ? stillPolls + 1 : 0
        self.underWay = underWay
        if polls >= Self.maximumPolls { return true }
        return proposed == 0 && (underWay == 0 || stillPolls >= Self.maximumStillPolls)
    }
}
