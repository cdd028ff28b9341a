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
            let (answers, redrives) = try await PartitionInquiry.of(options.option.home) { inquiry in
                let addresses = inquiry.addresses()
                return (
                    await inquiry.askAll(LinksListV1(), addresses),
                    await inquiry.askAll(RedrivesListV1(), addresses)
                )
            }
            let known = Dictionary(redrives.found().map { ($0, $1.redrives) }) { first, _ in first }
            let rows = answers.found().flatMap { address, list in
                list.links.map { link in
                    LinkRow(link: link, redrive: known[address]?.first { $0.to == link.to })
                }
            }
            var missed = redrives.missed()
            missed.merge(answers.missed())
            try options.show(
                rows,
                missed: missed,
                none: "no links yet",
                columns: [
                    ("FROM", \.link.from.description), ("TO", \.link.to.description), ("STATE", \.state),
                    ("UNSETTLED", { String($0.link.next - 1 - $0.link.settled) }),
                    ("REDRIVEN", \.progress), ("INCARNATION", \.link.incarnation),
                ]
            )
        }
    }

    private struct LinkRow: Encodable {
        let link: LinkStatus
        let redrive: RedriveStatus?

        private enum CodingKeys: String, CodingKey { case redrive }

        func encode(to encoder: any Encoder) throws {
            try link.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(redrive, forKey: .redrive)
        }

        var state: String {
            link.quarantine.map { "QUARANTINED: \($0)" } ?? (link.attached ? "attached" : "not attached")
        }

        var progress: String {
            guard let redrive else { return "-" }
            if let failure = redrive.failure { return "STOPPED after \(redrive.rows) rows: \(failure)" }
            return redrive.finishedAt == nil ? "\(redrive.rows) rows so far" : "all \(redrive.rows) rows"
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
