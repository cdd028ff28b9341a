import ArgumentParser
import Contracts
import Program

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Proves the ledgers of a running group, and prints what does not hold.",
        discussion: """
            Every entry moves a positive amount between two accounts; what a buyer holds is the sum of the entries; \
            every granted purchase has one grant of each of its goods. The group goes on meanwhile.

            Exit code 0: all of it holds. 1: something does not. 2: wrong usage. 3: a partition did not answer; what \
            it has is not proven.
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let report = try await PartitionInquiry.of(option.home) { inquiry in
            try await AuditRound(group: inquiry).carryOut()
        }
        if json { try Terminal.printJSON(report.object) } else { print(report.text) }
        if !report.differences.isEmpty { throw ExitCode.failure }
        try report.missed.check("the audit")
    }
}
