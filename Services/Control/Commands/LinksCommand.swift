import ArgumentParser
import Contracts
import Program

struct LinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Lists the links between partitions and ends their quarantine after a store was restored.",
        subcommands: [List.self, Resume.self, Redrive.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists every link.")

        @OptionGroup var options: ListOptions

        func run() async throws {
            try await options.show(
                LinksListV1(),
                as: { _, link in link },
                none: "no links yet",
                columns: [
                    ("FROM", \.from.description), ("TO", \.to.description), ("STATE", \.state),
                    ("UNSETTLED", { String($0.next - 1 - $0.settled) }),
                    ("REDRIVEN", \.progress), ("INCARNATION", \.incarnation),
                ]
            )
        }
    }

    struct Target: ParsableArguments {
        @OptionGroup var option: HomeOption

        @Argument(help: "The partition that sends, such as /receipts/2.")
        var from: PartitionAddress

        @Argument(help: "The partition that receives, such as /orders/0.")
        var to: PartitionAddress

        func resume(redrive: Bool) async throws {
            let link = try await PartitionInquiry.of(option.home) { inquiry in
                try await inquiry.ask(LinkResumeV1(to: to, redrive: redrive), of: from)
            }
            print("\(link.from) → \(link.to) runs as incarnation \(link.incarnation)")
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a link's quarantine and sends what is not settled."
        )

        @OptionGroup var target: Target

        func run() async throws { try await target.resume(redrive: false) }
    }

    struct Redrive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                """
                Ends a link's quarantine and sends every current state again, page by page; `links list` shows the \
                progress. Receivers drop what they know.
                """
        )

        @OptionGroup var target: Target

        func run() async throws { try await target.resume(redrive: true) }
    }
}

extension LinkStatus {
    fileprivate var state: String {
        if let quarantine { return "QUARANTINED: \(quarantine)" }
        if let unansweredMs { return "NO ANSWER for \(unansweredMs / 1_000) s" }
        return attached ? "attached" : "not attached"
    }

    fileprivate var progress: String {
        guard let redrive else { return "-" }
        if let failure = redrive.failure { return "STOPPED after \(redrive.rows) rows: \(failure)" }
        return redrive.finishedAt == nil ? "\(redrive.rows) rows so far" : "all \(redrive.rows) rows"
    }
}
