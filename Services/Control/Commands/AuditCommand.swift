import ArgumentParser
import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Program

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Proves a running group, and prints what does not hold.",
        discussion: """
            Every entry moves a positive amount between two accounts; what a buyer holds is the sum of the entries, \
            and no balance falls below its product's rule; access by a subscription follows from its facts. Every purchase \
            is claimed, paid and granted once, and Receipts, Orders and Entitlements say the same of it. Nothing is \
            outstanding for over 60 s.

            The group goes on meanwhile. What differs is looked at again until it is gone, or until the messages that \
            were under way have arrived; only what stays is printed. Purchases without a buyer (orphans) are counted.

            Exit code 0: all of it holds. 1: something does not. 2: wrong usage. 3: a partition did not answer; what \
            it has is not proven.
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let isShown = isatty(STDERR_FILENO) == 1
        let report = try await PartitionInquiry.of(option.home) { inquiry in
            let round = AuditRound(group: inquiry, now: { ClockReading.current().now }) { orders in
                if isShown { Terminal.show("\(orders) paid orders compared") }
            }
            return try await round.carryOut()
        }
        if isShown { Terminal.show("") }
        if json { try Terminal.printJSON(report.object) } else { print(report.text) }
        if !report.differences.isEmpty {
            if let failure = report.missed.failure("the audit") { Terminal.warn(failure.description) }
            throw ExitCode.failure
        }
        try report.missed.check("the audit")
    }
}

extension Terminal {
    /// Shows how far long work has come, in the last line of a terminal.
    fileprivate static func show(_ text: String) { StandardError.write("\r\u{1B}[K\(text)", end: "") }
}
