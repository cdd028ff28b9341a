import ArgumentParser
import Contracts
import Program

/// `counterfoil trace`: tells the story of an order, receipt or transaction.
struct TraceCommand: AsyncParsableCommand {
    /// Most rounds of asking for what the last answers led to.
    private static let maximumRounds = 8
    /// Most ids of one story.
    private static let maximumIdentifiers = 1_000

    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Tells what happened to an order, a receipt or a transaction, in all services."
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "The id of an order, receipt, transaction or event, or an order's reference.")
    var id: String

    @Flag(help: "Print one JSON array.")
    var json = false

    func run() async throws {
        let (told, missed) = try await PartitionInquiry.of(option.home) { await follow($0) }
        let report = TraceReport(told)
        if json {
            try Terminal.printJSON(report.entries)
        } else if !report.entries.isEmpty {
            print(report.text)
        }
        try missed.check("the story")
        guard !report.entries.isEmpty else {
            if json { throw ExitCode.failure }
            throw CommandFailure(description: "nothing is known about \(id)")
        }
    }

    /// Asks everybody about the id, then about the ids that the answers name, until nothing new is named.
    private func follow(
        _ inquiry: PartitionInquiry
    ) async -> (told: [PartitionAddress: Set<Trace.Entry>], missed: MissedPartitions) {
        var told: [PartitionAddress: Set<Trace.Entry>] = [:]
        var missed = MissedPartitions()
        var asked: Set<String> = []
        var open: Set<String> = [id, OrderID(rawValue: id)?.rawValue ?? id]
        for _ in 0..<Self.maximumRounds where !open.isEmpty && asked.count < Self.maximumIdentifiers {
            asked.formUnion(open)
            let question = TraceV1(identifiers: open.sorted())
            let answers = await inquiry.askAll(
                question,
                inquiry.addresses().filter { missed.failures[$0] == nil }
            )
            var related: Set<String> = []
            for (address, answer) in answers {
                switch answer {
                case .success(let trace):
                    told[address, default: []].formUnion(trace.entries)
                    related.formUnion(trace.related)
                case .failure(let failure): missed.note(address, failure)
                }
            }
            open = related.subtracting(asked)
        }
        return (told, missed)
    }
}
