import ArgumentParser
import Contracts
import Program

struct TraceCommand: AsyncParsableCommand {
    /// Maximum rounds of queries for the ids that the last answers named.
    private static let maximumRounds = 8
    private static let maximumIdentifiers = 1_000

    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Shows what happened to an order, a receipt or a transaction, in all services."
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "The id of an order, receipt, transaction or event, or an order's reference.")
    var id: String

    @Flag(help: "Print one JSON array.")
    var json = false

    func run() async throws {
        let (entries, missed) = try await PartitionInquiry.of(option.home) { await follow($0) }
        let report = TraceReport(entries)
        if json {
            try Terminal.printJSON(report.entries)
        } else if !report.entries.isEmpty {
            print(report.text)
        }
        try missed.check("the trace")
        guard !report.entries.isEmpty else {
            if json { throw ExitCode.failure }
            throw CommandFailure(description: "nothing is known about \(id)")
        }
    }

    /// Asks all partitions about the id, then about the ids in the answers, until no new id appears.
    private func follow(
        _ inquiry: PartitionInquiry
    ) async -> (entries: [PartitionAddress: Set<Trace.Entry>], missed: MissedPartitions) {
        var entries: [PartitionAddress: Set<Trace.Entry>] = [:]
        var missed = MissedPartitions()
        var asked: Set<String> = []
        var open: Set<String> = [id, OrderID(rawValue: id)?.rawValue ?? id]
        for _ in 0..<Self.maximumRounds where !open.isEmpty && asked.count < Self.maximumIdentifiers {
            asked.formUnion(open)
            let reachable = inquiry.addresses().filter { missed.failures[$0] == nil }
            let answers = await inquiry.askAll(TraceV1(identifiers: open.sorted()), reachable)
            var related: Set<String> = []
            for (address, trace) in answers.replies {
                entries[address, default: []].formUnion(trace.entries)
                related.formUnion(trace.related)
            }
            missed.merge(answers.missed)
            open = related.subtracting(asked)
        }
        return (entries, missed)
    }
}
