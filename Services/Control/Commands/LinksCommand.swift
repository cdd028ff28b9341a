import ArgumentParser
import Contracts
import Program

/// `counterfoil links`: the links between partitions, and the end of a quarantine.
struct LinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Lists the links between partitions and ends their quarantine after a store was restored.",
        subcommands: [List.self, Resume.self, Redrive.self]
    )

    /// `counterfoil links list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists every link.")

        @OptionGroup var option: HomeOption

        @Flag(help: "Print one JSON array.")
        var json = false

        func run() async throws {
            let (answers, redrives) = try await PartitionInquiry.of(option.home) { inquiry in
                let addresses = inquiry.addresses()
                return (
                    await inquiry.askAll(LinksListV1(), addresses),
                    await inquiry.askAll(RedrivesListV1(), addresses)
                )
            }
            let rows = answers.found().flatMap { address, list in Self.rows(list, redrives[address]) }
            var missed = redrives.missed()
            missed.merge(answers.missed())
            if json {
                try Terminal.printJSON(rows)
            } else if !rows.isEmpty || missed.isEmpty {
                print(Self.text(rows))
            }
            try missed.check("the list")
        }

        private static func rows(
            _ list: LinkList,
            _ redrives: Result<RedriveList, CommandFailure>?
        ) -> [LinkRow] {
            let known: [RedriveStatus] =
                if case .success(let list)? = redrives { list.redrives } else { [] }
            return list.links.map { link in LinkRow(link: link, redrive: known.first { $0.to == link.to }) }
        }

        private static func text(_ rows: [LinkRow]) -> String {
            guard !rows.isEmpty else { return "no links yet" }
            var table = TextTable(["FROM", "TO", "STATE", "UNSETTLED", "TOLD AGAIN", "INCARNATION"])
            for row in rows {
                let link = row.link
                let running = link.attached ? "attached" : "not attached"
                let state = link.quarantine.map { "QUARANTINED: \($0)" } ?? running
                let unsettled = String(link.next - 1 - link.settled)
                table.add([
                    link.from.description, link.to.description, state, unsettled, row.progress,
                    link.incarnation,
                ])
            }
            return table.text
        }
    }

    /// A link, and how far the last redrive of it has come.
    private struct LinkRow: Encodable {
        let link: LinkStatus
        let redrive: RedriveStatus?

        private enum CodingKeys: String, CodingKey { case redrive }

        func encode(to encoder: any Encoder) throws {
            try link.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(redrive, forKey: .redrive)
        }

        var progress: String {
            guard let redrive else { return "-" }
            if let failure = redrive.failure { return "STOPPED after \(redrive.rows) rows: \(failure)" }
            return redrive.finishedAt == nil ? "\(redrive.rows) rows so far" : "all \(redrive.rows) rows"
        }
    }

    /// The two ends of a link on the command line.
    struct Ends: ParsableArguments {
        @Argument(help: "The partition that sends, such as /receipts/2.", transform: partitionAddress)
        var from: PartitionAddress

        @Argument(help: "The partition that receives, such as /orders/0.", transform: partitionAddress)
        var to: PartitionAddress
    }

    /// `counterfoil links resume`.
    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a link's quarantine and sends what is not settled."
        )

        @OptionGroup var option: HomeOption
        @OptionGroup var ends: Ends

        func run() async throws { try await LinksCommand.resume(ends, redrive: false, option.home) }
    }

    /// `counterfoil links redrive`.
    struct Redrive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                """
                Ends a link's quarantine and sends every current state again, page by page; `links list` shows how far \
                that is. Receivers drop what they know.
                """
        )

        @OptionGroup var option: HomeOption
        @OptionGroup var ends: Ends

        func run() async throws { try await LinksCommand.resume(ends, redrive: true, option.home) }
    }

    private static func resume(_ ends: Ends, redrive: Bool, _ home: Home) async throws {
        let link = try await PartitionInquiry.of(home) { inquiry in
            try await inquiry.ask(LinkResumeV1(to: ends.to, redrive: redrive), of: ends.from)
        }
        print("\(link.from) → \(link.to) runs as incarnation \(link.incarnation)")
    }
}

/// A partition's address on the command line.
@Sendable private func partitionAddress(_ text: String) throws -> PartitionAddress {
    guard let address = PartitionAddress(text) else {
        throw ValidationError("'\(text)' is no partition; write /receipts/2.")
    }
    return address
}
