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
            let answers = try await PartitionInquiry.of(option.home) { inquiry in
                await inquiry.askAll(LinksListV1(), inquiry.addresses())
            }
            var links: [LinkStatus] = []
            for (_, answer) in answers.sorted(by: { $0.key < $1.key }) {
                switch answer {
                case .success(let list): links += list.links
                case .failure(let failure): Terminal.warn(failure.description)
                }
            }
            if json { try Terminal.printJSON(links) } else { print(Self.text(links)) }
        }

        private static func text(_ links: [LinkStatus]) -> String {
            guard !links.isEmpty else { return "no links yet" }
            var table = TextTable(["FROM", "TO", "STATE", "UNSETTLED", "INCARNATION"])
            for link in links {
                let running = link.attached ? "attached" : "not attached"
                let state = link.quarantine.map { "QUARANTINED: \($0)" } ?? running
                let unsettled = String(link.next - 1 - link.settled)
                table.add([link.from.description, link.to.description, state, unsettled, link.incarnation])
            }
            return table.text
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
                "Ends a link's quarantine and sends every current state again; receivers drop what they know."
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
